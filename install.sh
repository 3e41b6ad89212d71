#!/bin/sh
# Installs Peyk as a hardened service of systemd, upgrades it with a way back, or removes it. Running it again changes nothing
# that stands already. Works on Debian, Ubuntu and every Linux with systemd 247 or newer; needs nothing but coreutils.

set -eu
umask 022
LC_ALL=C
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export LC_ALL PATH

# Signs the checksums of releases: the second line of minisign's public key file. Empty until the maker of releases has a key.
release_key=

# Which script of the Debian package this is; scripts/debian-package.ts fills it in. Empty: the installer itself.
packaged=

program=/usr/local/bin/peyk
lib=/usr/local/lib
if [ -n "$packaged" ]; then
  # A link: dpkg unpacks the new program while the old one must go on, and stay startable.
  program=/usr/bin/peyk
  lib=/usr/lib
fi
package_program=/usr/lib/peyk/peyk
units=$lib/systemd/system
settings=/etc/peyk/peyk.toml
key=/etc/peyk/secret.key
state=/var/lib/peyk
# Stands while what is installed was signed: then nothing unsigned follows it by accident.
signed_mark=$lib/peyk/signed
# What an upgrade goes back to: the program and the database before it.
previous_program=$lib/peyk/peyk.previous
previous_data=$state/before-upgrade
# The way back of the upgrade before, until this one has succeeded.
earlier_program=$previous_program.earlier
earlier_data=$previous_data.earlier
# A unit of the build that an upgrade of the package went back to, where it differs; dpkg's own file stays as it is.
previous_unit=/etc/systemd/system/peyk.service
previous_unit_mark='# Made by the package when its upgrade went back, for the earlier program; the next one that succeeds removes it.'

usage() {
  cat <<'TEXT'
Usage: install.sh [options] BINARY        a file, such as ./peyk-linux-x64
       install.sh [options] URL           with --sha256
       install.sh --uninstall             the service goes, settings and messages stay
       install.sh --purge                 everything goes but the nightly backups: messages, settings, user

  --sha256 SUM   what the binary's checksum must be (without it, and after a signed build: the SHA256SUMS beside it, and its signature)
  --unverified   take a binary without a checksum, or an unsigned one after a signed one
  --wait SECONDS how long a start may take before it counts as failed (300)
  --adopt        give /var/lib/peyk to the user peyk, if it belongs to somebody else
  --yes          purge without asking
  --dry-run      check everything, change nothing, say what would be done
  --help         this text
TEXT
}

say() { printf '%s\n' "$*"; }
fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}
misused() {
  printf 'install.sh: %s\n' "$*" >&2
  usage >&2
  exit 2
}
# Does it, or in a dry run says it.
act() {
  if [ "$dry_run" = yes ]; then say "would run: $*"; else "$@"; fi
}
service_runs() { systemctl is-active --quiet peyk.service; }
# The text of a field of one JSON object.
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }
# A build, without anything that the caller's environment could change about it.
ask() { env -i PATH="$PATH" PEYK_CONFIG="$settings" "$@"; }

# ---- the way out ------------------------------------------------------------------------------------------------------

staging=
# The folder of the installer's own, if this run made it: a refusal leaves nothing.
made=
# resting, stopped (the service is, nothing is switched yet) or switched.
phase=resting
leave() {
  status=$?
  # Going back must not be interrupted in its turn.
  trap - EXIT
  trap '' INT TERM HUP
  if [ "$phase" != resting ]; then
    go_back "The upgrade was interrupted." || true
    status=1
  fi
  [ -z "$staging" ] || rm -rf "$staging"
  if [ -n "$made" ] && [ "$status" -ne 0 ]; then rmdir "$made" 2>/dev/null || true; fi
  exit "$status"
}
trap leave EXIT
trap 'exit 130' INT TERM HUP

# ---- what the machine must be ---------------------------------------------------------------------------------------

check_machine() {
  [ "$(uname -s)" = Linux ] || fail "Peyk is installed on Linux only; this is $(uname -s)."
  [ "$dry_run" = yes ] || [ "$(id -u)" = 0 ] || fail "This must run as root. Try: sudo sh install.sh ..."
  if ! systemd_runs || ! command -v systemctl >/dev/null; then
    fail "This machine was not started by systemd, so there is no service to install. Without it: peyk serve --data-dir DIR"
  fi
  systemd_version=$(systemctl --version | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
  [ "${systemd_version:-0}" -ge 247 ] ||
    fail "systemd ${systemd_version:-of an unknown version} is too old: Peyk's unit needs 247 or newer (Debian 11, Ubuntu 22.04)."
}

systemd_runs() { [ -d /run/systemd/system ]; }

# Package and installer each own a unit of this name: side by side one of them would run, and the other be upgraded.
refuse_package() {
  [ ! -e "$package_program" ] ||
    fail "Peyk is installed here as a Debian package: upgrade it by apt, remove it by apt. To change over: apt remove peyk (messages, settings and key stay), then run this again. Nothing was changed."
}

refuse_installed() {
  [ ! -e /usr/local/lib/systemd/system/peyk.service ] ||
    fail "Peyk was installed here by install.sh. To change over: sh install.sh --uninstall (messages, settings and key stay), then install the package again. Nothing was changed."
}

# One installer at a time; the lock is gone with the process.
take_lock() {
  [ "$dry_run" = no ] || return 0
  exec 9>/run/peyk-install.lock
  flock -n 9 || fail "Another install.sh is at work. Wait until it is done."
}

# ---- the binary -----------------------------------------------------------------------------------------------------

header() { od -An -v -j "$1" -N "$2" -t "$3" "$staged" | tr -d ' \n'; }

stage() {
  if [ "$dry_run" = yes ]; then
    folder=${TMPDIR:-/tmp}
    instead=" Set TMPDIR to another folder."
  else
    folder=$lib/peyk
    instead=
    [ -d "$folder" ] || made=$folder
    why=$(mkdir -p "$folder" 2>&1) || fail "$folder cannot be made: ${why##*: }."
  fi
  why=$(mktemp -d "$folder/staging.XXXXXX" 2>&1) || fail "No folder can be made in $folder: ${why##*: }.$instead"
  staging=$why
  staged=$staging/peyk
  case $source in
    http://* | https://*) download ;;
    *)
      [ -e "$source" ] || fail "There is no file $source."
      if [ ! -f "$source" ] || [ ! -r "$source" ]; then fail "$source is no file that can be read."; fi
      why=$(cp -- "$source" "$staged" 2>&1) || fail "$source cannot be copied to $folder: ${why##*: }.$instead"
      ;;
  esac
  chmod 0755 "$staged"
}

download() {
  [ -n "$sha256" ] || [ "$unverified" = yes ] ||
    fail "A binary from the network needs its checksum: --sha256 SUM (see SHA256SUMS of the release)."
  fetch "$source" "$staged" || fail "$source cannot be fetched: $why"
}

# URL FILE
fetch() {
  if command -v curl >/dev/null; then
    why=$(curl -fsSL --retry 2 -o "$2" -- "$1" 2>&1)
  elif command -v wget >/dev/null; then
    why=$(wget -nv -O "$2" -- "$1" 2>&1)
  else
    fail "Neither curl nor wget is here. Fetch the binary by other means and name the file instead."
  fi
}

# Nothing of the binary runs before this: the given checksum, or the one in SHA256SUMS, whose signature is judged as far as it can
# be. What follows a signed build is judged by both: a checksum says only that the file is whole, not who built it.
check_sum() {
  if [ "$unverified" = yes ]; then
    say "Not verified, as you asked: $source."
    return 0
  fi
  actual=$(sha256sum <"$staged" | cut -d ' ' -f 1)
  [ -z "$sha256" ] || compare_sum "$(printf %s "$sha256" | tr A-F a-f)"
  [ -n "$sha256" ] && [ ! -e "$signed_mark" ] || read_sums
}

compare_sum() {
  [ "$actual" = "$1" ] || fail "The checksum of $source is wrong: it has $actual, expected was $1. Fetch it again."
}

read_sums() {
  case $source in
    http://* | https://*) file=${source%%[?#]*} ;;
    *) file=$source ;;
  esac
  name=${file##*/}
  sums=${file%/*}/SHA256SUMS
  [ "$sums" != "$file/SHA256SUMS" ] || sums=SHA256SUMS
  instead="Fetch SHA256SUMS again, give --sha256 SUM, or install it all the same by --unverified."
  # What is judged below is what is read here.
  if ! bring "$sums" SHA256SUMS; then
    [ ! -e "$signed_mark" ] || maker_unknown "there is no SHA256SUMS beside $source"
    fail "There is no SHA256SUMS beside $source, so nothing says that it is whole. $instead"
  fi
  listed=$(awk -v name="$name" '$2 == name || $2 == "*" name { print $1 }' "$staging/SHA256SUMS")
  [ -n "$listed" ] || fail "$sums has no line for $name. $instead"
  check_signature
  compare_sum "$listed"
}

# A file beside the binary, into the staging folder.
bring() {
  case $1 in
    http://* | https://*) fetch "$1" "$staging/$2" ;;
    *) [ -r "$1" ] && cat "$1" >"$staging/$2" ;;
  esac
}

# The installed build judges by the key that it knows; a first install by openssl and the key above.
check_signature() {
  if ! bring "$sums.minisig" SHA256SUMS.minisig; then
    maker_unknown "$sums is not signed"
    return 0
  fi
  known=$(ask "$program" system file install.sh 2>/dev/null | sed -n 's/^release_key=//p')
  if [ -n "$known" ]; then
    why=$(ask "$program" system verify "$staging/SHA256SUMS" 2>&1) || wrong_signature "${why#peyk: }"
  elif [ -z "$release_key" ]; then
    maker_unknown "neither this installer nor what is installed knows the key of the releases"
    return 0
  elif ! openssl version 2>/dev/null | grep -q '^OpenSSL [3-9]'; then
    maker_unknown "that takes openssl 3"
    return 0
  else
    verify_by_openssl || wrong_signature "It is not by the key of the releases, or not of this content."
  fi
  signed=yes
  say "Signed by the key of the releases."
}

# After a signed build nothing follows by accident whose maker is not known.
maker_unknown() {
  [ ! -e "$signed_mark" ] ||
    fail "What is installed was signed, and who built $source is not verified: $1. Fetch SHA256SUMS and SHA256SUMS.minisig of its release too, or install it all the same by --unverified."
  say "Who built it is not verified: $1."
}

wrong_signature() { fail "The signature of $sums is wrong. $* Do not run $source."; }

# minisign's format: two letters, the key's number (8 bytes), then the key (32) or the signature (64) over the file's BLAKE2b-512.
verify_by_openssl() {
  printf %s "$release_key" | base64 -d >"$staging/key"
  sed -n 2p "$staging/SHA256SUMS.minisig" | base64 -d >"$staging/signature" 2>/dev/null || return 1
  [ "$(head -c 2 "$staging/signature")" = ED ] && [ "$(wc -c <"$staging/signature")" -eq 74 ] || return 1
  [ "$(od -An -v -j 2 -N 8 -t x1 "$staging/key")" = "$(od -An -v -j 2 -N 8 -t x1 "$staging/signature")" ] || return 1
  # The head of an Ed25519 key in DER (RFC 8410).
  { printf '\060\052\060\005\006\003\053\145\160\003\041\000' && tail -c 32 "$staging/key"; } >"$staging/key.der"
  tail -c 64 "$staging/signature" >"$staging/signature.raw"
  openssl dgst -blake2b512 -binary "$staging/SHA256SUMS" >"$staging/hash"
  openssl pkeyutl -verify -rawin -pubin -keyform DER -inkey "$staging/key.der" -in "$staging/hash" \
    -sigfile "$staging/signature.raw" >/dev/null 2>&1
}

# name_of PROGRAM: 0.1.0, or 0.1.0 (b736f83) where the build knows its commit; nothing if it does not run.
name_of() {
  ask "$1" version 2>/dev/null | sed -n -e 's/ (commit \([0-9a-f]\{7\}\).*/ (\1)/' -e 's/ (bun .*//' -e 's/^peyk //p'
}

check_build() {
  [ "$(header 0 4 x1)" = 7f454c46 ] || fail "$source is no Linux program."
  size=$(wc -c <"$staged")
  [ "$size" -ge 64 ] || fail "$source is truncated: not even its header is whole. Fetch it again."
  case $(header 18 2 x1) in
    3e00) built_for=x86_64 ;;
    b700) built_for=aarch64 ;;
    *) built_for=other ;;
  esac
  [ "$built_for" = "$(uname -m)" ] || fail "$source is built for $built_for machines, this one is $(uname -m)."
  # The table of sections is the last thing in the file.
  whole=$(($(header 40 8 u8) + $(header 58 2 u2) * $(header 60 2 u2)))
  [ "$size" -ge "$whole" ] || fail "$source is truncated: $size of $whole bytes are there. Fetch it again."
  check_sum
  said=$(ask "$staged" version 2>"$staging/why") && ended=0 || ended=$?
  case $ended in
    0) ;;
    126) fail "$staged may not be run: is that file system mounted noexec?" ;;
    132) fail "This processor lacks instructions that $source uses (AVX2). Take the x64-baseline build." ;;
    *) fail "$source does not run here: $(tail -n 1 "$staging/why")" ;;
  esac
  case $said in
    'peyk '*) build=$(name_of "$staged") ;;
    *) fail "$source is not Peyk." ;;
  esac
  ask "$staged" system file peyk.service >/dev/null 2>&1 || fail "$source is a Peyk too old for this installer."
}

# ---- what must be right before anything changes ------------------------------------------------------------------------

check_owner() {
  [ -e "$state" ] || return 0
  [ -d "$state" ] || fail "$state is in the way: it is no folder."
  [ "$adopt" = no ] || return 0
  [ -n "$(ls -A "$state/")" ] || return 0
  ours=$(id -u peyk 2>/dev/null) || ours=none
  stranger=$state
  if [ "$(stat -L -c %u "$state")" = "$ours" ]; then
    stranger=$(find "$state/" -xdev -path "$previous_data*" -prune -o ! -user peyk -print | head -n 1)
  fi
  [ -z "$stranger" ] ||
    fail "$stranger belongs to the user $(stat -c %U "$stranger"), not to peyk. If it is Peyk's, run this again with --adopt; else move it away."
}

check_settings() {
  [ -e "$settings" ] || return 0
  ask "$staged" config check --config "$settings" >/dev/null 2>"$staging/why" ||
    fail "$settings is not right; nothing was changed. $(sed 's/^peyk: //' "$staging/why")"
}

# A service that runs holds its ports rightly; the settings may by now name others.
check_ports() {
  set -- system check
  [ ! -e "$settings" ] || set -- "$@" --config "$settings"
  if service_runs; then
    set -- "$@" --serving
    held=$(ask "$program" status --data-dir "$state" --json 2>/dev/null) || held=
    for name in listen consoleListen; do
      url=$(printf %s "$held" | field "$name")
      [ -z "$url" ] || set -- "$@" --held "$url"
    done
  fi
  ports=$(cd / && env -i PATH="$PATH" "$staged" "$@" 2>"$staging/why") ||
    fail "$(sed 's/^peyk: //' "$staging/why") Nothing was changed."
}

# A build refuses a newer database. While the service runs, its database has the schema that its program knows.
check_schema() {
  if ! service_runs || [ ! -e "$program" ]; then return 0; fi
  stored=$(ask "$program" system schema 2>/dev/null) || return 0
  # A build that does not know the question is older than every one that does.
  known=$(ask "$staged" system schema 2>/dev/null) || known=0
  [ "$known" -lt "$stored" ] || return 0
  [ "$known" -gt 0 ] || known="an older one"
  [ -z "$packaged" ] || place_files "$program"
  fail "This database was written by a newer Peyk (its schema is $stored, $build knows $known). Peyk $(name_of "$program") goes on; nothing was changed. To downgrade all the same: docs/upgrade.md, or the help of the console."
}

free_kib() { df -Pk -- "$1" | awk 'END { print $4 }'; }
database_kib() { du -ck "$state/peyk.db" "$state/peyk.db-wal" 2>/dev/null | awk 'END { print $1 + 0 }'; }

# The database's copy, the copy that a migration makes for itself, and room to go on.
check_room() {
  disk=$state
  [ -d "$disk" ] || disk=/var/lib
  need_room "$disk" $((2 * $(database_kib) + 65536))
  [ -z "$packaged" ] || return 0
  # Where the program's folder is on a disk of its own, the program is copied to it.
  disk=${program%/*}
  if [ -d "$disk" ] && [ "$(stat -L -c %d "$disk")" != "$(stat -L -c %d "$lib")" ]; then
    need_room "$disk" $(($(wc -c <"$staged") / 1024 + 1024))
  fi
}

# need_room FOLDER KIB
need_room() {
  [ "$(free_kib "$1")" -ge "$2" ] ||
    fail "There is not enough room on the disk of $1: $(($2 / 1024)) MiB are needed, $(($(free_kib "$1") / 1024)) MiB are free. Nothing was changed."
}

# ---- putting things in their places ------------------------------------------------------------------------------------

# place NAME PATH: one of the files that a build carries; written only where it differs.
place() {
  ask "$carrier" system file "$1" >"$staging/file"
  cmp -s "$staging/file" "$2" && return 0
  changed=yes
  act mkdir -p "${2%/*}"
  act install -m 0644 "$staging/file" "$2"
}

place_files() {
  carrier=$1
  changed=no
  if [ -n "$packaged" ]; then
    place_package_files
    return 0
  fi
  place peyk.sysusers.conf "$lib/sysusers.d/peyk.conf"
  place peyk.tmpfiles.conf "$lib/tmpfiles.d/peyk.conf"
  place peyk.service "$units/peyk.service"
  if [ "$ports" = privileged ]; then
    place privileged-port.conf "$units/peyk.service.d/privileged-port.conf"
  elif [ -e "$units/peyk.service.d/privileged-port.conf" ]; then
    changed=yes
    act rm "$units/peyk.service.d/privileged-port.conf"
  fi
  [ "$changed" = no ] || act systemctl daemon-reload
}

# dpkg has placed all but the drop-in, for the new build; the earlier one may want its own unit.
place_package_files() {
  drop_in=$units/peyk.service.d/privileged-port.conf
  if [ "$ports" = privileged ]; then
    place privileged-port.conf "$drop_in"
  else
    rm -f "$drop_in"
  fi
  if is_made_unit "$previous_unit"; then rm "$previous_unit"; fi
  ask "$carrier" system file peyk.service >"$staging/file"
  if ! cmp -s "$staging/file" "$units/peyk.service" && [ ! -e "$previous_unit" ]; then
    { printf '%s\n' "$previous_unit_mark" && cat "$staging/file"; } >"$staging/unit"
    install -D -m 0644 "$staging/unit" "$previous_unit"
  fi
  systemctl daemon-reload
}

is_made_unit() { [ -f "$1" ] && [ "$(head -n 1 "$1")" = "$previous_unit_mark" ]; }

# A key that an earlier "peyk serve" made in the data folder opens what is sealed there: it moves, and no other is made.
place_key() {
  [ ! -e "$key" ] || return 0
  if [ -f "$state/secret.key" ] && [ ! -L "$state/secret.key" ]; then
    act mv "$state/secret.key" "$key"
  elif [ "$dry_run" = yes ]; then
    say "would make the key file $key"
  else
    (umask 077 && od -An -v -N 32 -t x1 /dev/urandom | tr -d ' \n' >"$key.new" && echo >>"$key.new")
    # 32 bytes in hexadecimal, and the line's end.
    [ "$(wc -c <"$key.new")" -eq 65 ] || fail "The key file cannot be made: /dev/urandom gives nothing."
    sync "$key.new"
    mv "$key.new" "$key"
    sync "${key%/*}"
  fi
}

place_settings() {
  [ ! -e "$settings" ] && [ -z "$packaged" ] || return 0
  if [ "$dry_run" = yes ]; then
    say "would write $settings, every line of it a comment"
  else
    ask env -u PEYK_CONFIG "$staged" config example >"$settings.new"
    sync "$settings.new"
    mv "$settings.new" "$settings"
    sync "${settings%/*}"
  fi
}

place_user_and_folders() {
  act systemd-sysusers "$lib/sysusers.d/peyk.conf"
  act install -d -m 0750 -o root -g peyk /etc/peyk
  place_key
  place_settings
  [ "$adopt" = no ] || [ ! -d "$state" ] || act chown -R -h peyk:peyk "$state"
  act systemd-tmpfiles --create "$lib/tmpfiles.d/peyk.conf"
}

# link_program NAME: what /usr/bin/peyk of the package is, switched by a rename.
link_program() {
  ln -sfn "../lib/peyk/$1" "$program.new"
  mv -T "$program.new" "$program"
}

keep_program() {
  # The package's preinst has, before dpkg unpacked anything.
  [ -z "$packaged" ] || return 0
  link_or_copy "$program" "$previous_program.new" || {
    rm -f "$previous_program.new"
    fail "The program cannot be kept in $lib/peyk (is the disk full?). Nothing was changed."
  }
}

link_or_copy() { ln -f "$1" "$2" 2>/dev/null || cp -p "$1" "$2"; }

# switch_program FILE: a rename within the folder is the only switch that no crash can tear.
switch_program() {
  link_or_copy "$1" "$program.new" || {
    rm -f "$program.new"
    return 1
  }
  sync "$program.new"
  mv -f "$program.new" "$program"
}

put_back_program() {
  if [ -n "$packaged" ]; then
    link_program peyk.previous
    return 0
  fi
  switch_program "$previous_program"
}

place_program() {
  if [ -n "$packaged" ]; then
    link_program peyk
    return 0
  fi
  act mkdir -p "${program%/*}"
  if [ "$dry_run" = yes ]; then
    say "would place the program as $program"
  else
    # The staged name is kept, for a start that fails.
    switch_program "$staged"
  fi
}

# ---- starting --------------------------------------------------------------------------------------------------------

# start SECONDS: ready is what the unit calls ready: database open and migrated, ports bound, queue running.
start() {
  started=$(date +%s)
  # Beside this shell, so that a signal ends the waiting at once.
  timeout --foreground "$1" systemctl start peyk.service 2>/dev/null &
  wait "$!" || return 1
  service_runs
}

last_words() {
  say "The last words of the service:"
  journalctl -u peyk.service --since "@$started" -o cat --no-pager -n 15 2>/dev/null | sed 's/^/  | /' || true
}

# ---- the two ways of installing ----------------------------------------------------------------------------------------

install_fresh() {
  place_files "$staged"
  place_user_and_folders
  place_program
  act systemctl enable --quiet peyk.service
  [ "$dry_run" = no ] || return 0
  if ! start "$wait_seconds"; then
    systemctl disable --quiet --now peyk.service || true
    last_words
    fail "Peyk $build is installed but did not start within $wait_seconds s, so it was stopped. Mend what the lines above say, then: systemctl enable --now peyk"
  fi
}

# The service is stopped: the file and its log are the whole truth.
copy_data() {
  rm -rf "$previous_data.new"
  # The service's, as everything there: a restore reads it with its rights.
  install -d -m 0700 -o peyk -g peyk "$previous_data.new"
  for file in peyk.db peyk.db-wal; do
    [ ! -f "$state/$file" ] || cp -P --preserve=all --reflink=auto "$state/$file" "$previous_data.new/$file" || return 1
  done
  sync -f "$previous_data.new"
}

# The way back of the upgrade before stays beside that of this one until this one has succeeded.
keep_way_back() {
  broken_off=no
  [ ! -e "$lib/peyk/switching" ] || broken_off=yes
  : >"$lib/peyk/switching"
  # An upgrade that a power cut broke off left its mark: what it kept may be the only way back, and stays.
  if [ "$broken_off" = yes ] && [ -d "$previous_data" ]; then
    mv "$previous_data" "$previous_data.broken-off.$(date +%Y%m%d%H%M%S)"
  fi
  set_aside "$previous_data" "$earlier_data"
  mv -T "$previous_data.new" "$previous_data"
  [ -z "$packaged" ] || return 0
  set_aside "$previous_program" "$earlier_program"
  mv -T "$previous_program.new" "$previous_program"
}

# set_aside PATH EARLIER: one that a broken-off upgrade set aside stays, since no upgrade has succeeded after it.
set_aside() {
  [ -e "$1" ] || return 0
  if [ "$broken_off" = yes ] && [ -e "$2" ]; then return 0; fi
  rm -rf "$2"
  mv -T "$1" "$2"
}

put_back_earlier() {
  rm -rf "$previous_data"
  [ ! -e "$earlier_data" ] || mv -T "$earlier_data" "$previous_data"
  [ -z "$packaged" ] || return 0
  rm -f "$previous_program"
  [ ! -e "$earlier_program" ] || mv -T "$earlier_program" "$previous_program"
}

# The new build serves: its way back is the one that counts.
forget_earlier() {
  rm -f "$lib/peyk/switching"
  rm -rf "$earlier_data" "$earlier_program"
}

upgrade() {
  from=$(name_of "$program")
  [ -n "$from" ] || from=unknown
  if cmp -s "$staged" "$program" && service_runs; then
    place_files "$staged"
    place_user_and_folders
    [ "$changed" = no ] || act systemctl restart peyk.service
    say "Peyk $build is installed already and serves."
    return 0
  fi
  say "Peyk $from gives way to $build."
  if [ "$dry_run" = yes ]; then
    say "would stop the service, keep its program and database, switch, start, and go back if it is not ready in $wait_seconds s"
    return 0
  fi
  if is_member; then member=yes; else member=no; fi
  keep_program
  phase=stopped
  systemctl stop peyk.service
  copy_data || {
    go_back "The database could not be copied (is the disk full?)."
    exit 1
  }
  served_last=$(last_ready)
  # Between these renames nobody could tell which way back is whose.
  trap '' INT TERM HUP
  keep_way_back
  phase=switched
  trap 'exit 130' INT TERM HUP
  place_program
  place_files "$staged"
  place_user_and_folders
  systemctl enable --quiet peyk.service
  if start "$wait_seconds"; then
    # From here on messages may have been accepted: going back would lose them, so there is no way back by itself any more.
    phase=resting
    forget_earlier
    say "Peyk $build is ready and serves. What was before is kept in $previous_program and $previous_data."
  else
    last_words
    go_back "Peyk $build did not become ready (it had $wait_seconds s)."
    exit 1
  fi
}

last_ready() { systemctl show peyk.service --property=ActiveEnterTimestampMonotonic --value; }

# For the way back, however short the new build's time was: what is put back has started before.
back_seconds=300

# A build that never said "ready" has accepted nothing, so the database of before is complete.
go_back() {
  was=$phase
  phase=resting
  systemctl stop peyk.service || true
  if [ "$was" = switched ] && [ "$(last_ready)" -gt "$served_last" ]; then
    say "$1 But it became ready after all, and messages may have been accepted since: Peyk $build stays."
    forget_earlier
    start "$back_seconds" || last_words
    return 0
  fi
  say "$1 Going back to Peyk $from."
  if [ "$was" = switched ]; then
    # The data first: a build of before may take a missing database for a new folder, this one refuses.
    put_back_data || fail "The database of before could not be put back. It is complete in $previous_data: move it to $state, then: systemctl start peyk"
    put_back_program
    place_files "$program"
    put_back_earlier
    rm -f "$lib/peyk/switching"
  else
    rm -rf "$previous_data.new" "$previous_program.new"
  fi
  if start "$back_seconds"; then
    say "Peyk $from serves again, with $kept_data. Nothing was lost."
  else
    last_words
    printf 'install.sh: %s\n' "Peyk $from is back in its place but does not start either; see: journalctl -u peyk" >&2
  fi
}

# A member of a cluster goes on from what the others have as well: an older database would be a lie to them.
# Asked of the new build before anything changes: the old one may not know of clusters.
is_member() { [ -e "$state/peyk.cluster" ] || ask "$staged" config show --json | grep -q '"cluster\.node":"[^"]'; }
kept_data="the database of before"
put_back_data() {
  if [ "$member" = yes ]; then
    kept_data="the database as it is, since this is a member of a cluster"
  else
    restore_data
  fi
}

# At every moment there is no database, which a start refuses, or a whole one: its log is in place before it, and no log of
# another one then.
restore_data() {
  rm -f "$state/peyk.db"
  rm -f "$state/peyk.db-wal" "$state/peyk.db-shm" "$state/peyk.db-synced"
  for file in peyk.db-wal peyk.db; do
    [ ! -f "$previous_data/$file" ] || mv -T "$previous_data/$file" "$state/$file" || return 1
  done
  sync -f "$state"
  rmdir "$previous_data"
}

# ---- removing --------------------------------------------------------------------------------------------------------

uninstall() {
  if [ -e "$units/peyk.service" ]; then act systemctl disable --quiet --now peyk.service; fi
  act rm -f "$units/peyk.service" "$units/peyk.service.d/privileged-port.conf" "$lib/sysusers.d/peyk.conf" "$lib/tmpfiles.d/peyk.conf"
  act rm -f "$program" "$program.new"
  act rm -rf "$lib/peyk"
  [ ! -d "$units/peyk.service.d" ] || act rmdir --ignore-fail-on-non-empty "$units/peyk.service.d"
  act systemctl daemon-reload
  [ "$dry_run" = yes ] || systemctl reset-failed peyk.service 2>/dev/null || true
}

# A person is asked; a script says that it means it.
confirm_purge() {
  if [ "$dry_run" = yes ] || [ "$yes" = yes ]; then return 0; fi
  [ -t 0 ] || fail "--purge removes all messages in $state, and nobody can be asked here. If you mean it: --purge --yes. Nothing was removed."
  printf 'All messages in %s and all settings in /etc/peyk will be gone for good. Type "purge" to go on: ' "$state"
  read -r answer || answer=
  [ "$answer" = purge ] || fail "Nothing was removed."
}

# The way back of whoever did not mean it. Before anything else goes: it may be copied to another disk, and find no room there.
keep_backups() {
  kept=
  [ -d "$state/backups" ] && [ ! -L "$state/backups" ] && [ -n "$(ls -A "$state/backups")" ] || return 0
  kept=$state-backups-$(date +%Y%m%d%H%M%S)
  act install -d -m 0700 -o root -g root "$kept"
  [ ! -f "$key" ] || act cp -p "$key" "$kept/"
  act cp -R -P -p --reflink=auto "$state/backups" "$kept/" || {
    rm -rf "$kept"
    fail "The nightly backups could not be kept in $kept (is the disk full?). Nothing was removed."
  }
  act chown -R -h root:root "$kept"
}

purge() {
  act rm -rf /etc/peyk /etc/systemd/system/peyk.service.d
  # A disk may be mounted there: it is emptied, and its mount point stays.
  [ ! -d "$state" ] || act find "$state/" -mindepth 1 -delete
  if [ -L "$state" ]; then act rm "$state"; else [ ! -d "$state" ] || act rmdir "$state" 2>/dev/null || true; fi
  ! getent passwd peyk >/dev/null || act userdel peyk
  ! getent group peyk >/dev/null || act groupdel peyk
  if systemd_runs; then act systemctl daemon-reload; fi
}

# ---- what to do next ---------------------------------------------------------------------------------------------------

next_steps() {
  url=$(ask "$program" status --data-dir "$state" --json | field listen)
  link=$(ask "$program" user setup-link --data-dir "$state" --json 2>/dev/null | field url) || link=
  cat <<TEXT

Peyk $build serves at $url. Settings: $settings (then: systemctl restart peyk). Messages: $state.
Back up $key as well: without it nothing that is sealed in a backup can be read.

Your first message: paste these lines into a root shell. They create an account, let it send as 30001234, issue a key and
send. Until you add a route (peyk route add --help) a simulator carries it, and nothing leaves this machine.

  account=\$(peyk account create --name "First account" --json | sed 's/.*"id":"\([^"]*\)".*/\1/')
  peyk sender add --account "\$account" --sender 30001234
  key=\$(peyk key create --account "\$account" --name first --json | sed 's/.*"apiKey":"\([^"]*\)".*/\1/')
  printf 'X-API-Key: %s\n' "\$key" | curl -sS $url/v1/messages -H @- -H 'Content-Type: application/json' -H "Idempotency-Key: \$(date +%s)" -d '{"sender":"30001234","recipient":"09120000000","message":"Hello from Peyk"}'
  sleep 1; peyk message search

The console, where you choose the owner's password. The link is good once, for an hour; a new one: peyk user setup-link
  ${link:-peyk user setup-link}
From your own machine: ssh -L 8081:127.0.0.1:8081 this-machine, then open it there. See docs/console.md for a name of its own.

Look around: peyk status, journalctl -u peyk, $url/docs
TEXT
}

# ---- the Debian package ------------------------------------------------------------------------------------------------

# Before dpkg unpacks: what runs now stays startable under another name, also if the power goes before the package is configured.
preinst() {
  case $1 in install | upgrade) ;; *) return 0 ;; esac
  refuse_installed
  # After a way back the link names the program that serves, and dpkg's file is the one that failed.
  [ "$(readlink -f "$program")" = "$package_program" ] || return 0
  ln -f "$package_program" "$previous_program" 2>/dev/null || cp -p "$package_program" "$previous_program"
  link_program peyk.previous
}

postinst() {
  case $1 in
    configure) configure ;;
    # dpkg put its files back.
    abort-upgrade)
      if cmp -s "$package_program" "$previous_program"; then link_program peyk; fi
      ;;
  esac
}

configure() {
  if ! systemd_runs; then
    prepare
    return 0
  fi
  source=$package_program
  staged=$package_program
  staging=$(mktemp -d "$lib/peyk/staging.XXXXXX")
  build=$(name_of "$staged")
  check_owner
  check_settings
  check_ports
  if [ ! -e "$program" ] || ! is_wanted; then
    configure_fresh
  elif [ "$(readlink -f "$program")" != "$package_program" ] && ! cmp -s "$staged" "$program"; then
    check_room
    check_schema
    upgrade
  else
    link_program peyk
    place_user_and_folders
    place_files "$staged"
    if service_runs; then systemctl restart peyk.service; else start "$wait_seconds" || last_words; fi
  fi
}

# In the making of a machine's image, which starts elsewhere: the program may not even run here, without /proc.
prepare() {
  systemd-sysusers "$lib/sysusers.d/peyk.conf"
  install -d -m 0750 -o root -g peyk /etc/peyk
  place_key
  # systemd-tmpfiles would want /proc as well; it looks after these at every boot.
  install -d -m 0700 -o peyk -g peyk "$state"
  [ ! -e "$settings" ] || { chgrp peyk "$settings" && chmod 0640 "$settings"; }
  link_program peyk
  systemctl enable --quiet peyk.service
}

# Whoever disabled the service does not want an upgrade to start it.
is_wanted() { service_runs || systemctl is-enabled --quiet peyk.service; }
# Whoever prepares a machine may forbid packages to start anything.
may_start() { [ ! -x /usr/sbin/policy-rc.d ] || /usr/sbin/policy-rc.d peyk start >/dev/null; }

configure_fresh() {
  is_first=no
  [ -e "$program" ] || is_first=yes
  place_user_and_folders
  link_program peyk
  place_files "$staged"
  [ "$is_first" = yes ] || return 0
  systemctl enable --quiet peyk.service
  may_start || return 0
  if ! start "$wait_seconds"; then
    systemctl stop peyk.service || true
    last_words
    rm "$program"
    fail "Peyk $build is unpacked but did not start within $wait_seconds s, so it was stopped. Mend what the lines above say, then: dpkg --configure -a"
  fi
  next_steps
}

prerm() {
  case $1 in remove | deconfigure) ;; *) return 0 ;; esac
  # Its link would stay in a machine's image, in which no systemd runs.
  if systemd_runs; then systemctl disable --quiet --now peyk.service || true; else systemctl disable --quiet peyk.service || true; fi
  if [ "$1" = remove ]; then rm -f "$program"; fi
}

postrm() {
  case $1 in
    remove)
      if is_made_unit "$previous_unit"; then rm "$previous_unit"; fi
      rm -rf "$lib/peyk" "$units/peyk.service.d"
      ;;
    purge)
      # Its data by now, not the package's.
      [ ! -e /usr/local/lib/systemd/system/peyk.service ] || return 0
      keep_backups
      purge
      [ -z "$kept" ] || say "The nightly backups of Peyk, and the key that opens them, are kept in $kept. Without a trace: rm -r $kept"
      ;;
    *) return 0 ;;
  esac
  if systemd_runs; then systemctl daemon-reload; fi
}

# ---- the command line --------------------------------------------------------------------------------------------------

dry_run=no
adopt=no
unverified=no
signed=no
upgrade_only=no
verb=install
yes=no
sha256=
source=
wait_seconds=300

if [ -n "$packaged" ]; then
  "$packaged" "$@"
  exit 0
fi

while [ $# -gt 0 ]; do
  case $1 in
    --dry-run) dry_run=yes ;;
    --adopt) adopt=yes ;;
    --yes) yes=yes ;;
    --unverified) unverified=yes ;;
    --upgrade-only) upgrade_only=yes ;;
    --uninstall) verb=uninstall ;;
    --purge) verb=purge ;;
    --sha256 | --wait)
      [ $# -ge 2 ] || misused "$1 needs a value."
      if [ "$1" = --wait ]; then wait_seconds=$2; else sha256=$2; fi
      shift
      ;;
    --sha256=*) sha256=${1#*=} ;;
    --wait=*) wait_seconds=${1#*=} ;;
    --help | -h)
      usage
      exit 0
      ;;
    --)
      [ $# -eq 2 ] || misused "After -- one binary is expected."
      source=$2
      shift
      ;;
    -*) misused "There is no option $1." ;;
    *)
      [ -z "$source" ] || misused "One binary is enough: $source or $1?"
      source=$1
      ;;
  esac
  shift
done
case $wait_seconds in '' | *[!0-9]* | 0 | ?????*) misused "--wait takes 1 to 9999 seconds." ;; esac
case $sha256 in
  '') ;;
  *[!0-9a-fA-F]*) misused "--sha256 takes 64 hexadecimal digits." ;;
  *) [ ${#sha256} -eq 64 ] || misused "--sha256 takes 64 hexadecimal digits." ;;
esac

if [ "$verb" = install ]; then
  [ -n "$source" ] || misused "Which binary?"
else
  [ -z "$source" ] || misused "--$verb takes no binary."
fi
check_machine
take_lock
refuse_package

if [ "$verb" != install ]; then
  if [ "$verb" = purge ]; then
    confirm_purge
    keep_backups
  fi
  uninstall
  if [ "$verb" = purge ]; then
    purge
    [ "$dry_run" = yes ] || say "Peyk is gone, with its messages, settings and user."
    [ -z "$kept" ] || say "Its nightly backups, and the key that opens them, are kept in $kept. Without a trace: rm -r $kept"
  elif [ "$dry_run" = no ]; then
    say "Peyk is uninstalled. Its messages ($state), settings and key (/etc/peyk) are kept; --purge removes them too."
  fi
  exit 0
fi

[ "$upgrade_only" = no ] || [ -e "$units/peyk.service" ] || fail "Peyk is not installed as a service here, so there is nothing to upgrade."
stage
check_build
# First: to settings and questions of a later build an older one has no answer that helps.
check_schema
check_owner
check_settings
check_ports
check_room
if [ -e "$program" ] && [ -e "$units/peyk.service" ]; then
  upgrade
else
  say "Installing Peyk $build."
  install_fresh
  [ "$dry_run" = yes ] || next_steps
fi
if [ "$dry_run" = yes ]; then
  say "Nothing was changed."
elif [ "$signed" = yes ]; then
  : >"$signed_mark"
else
  rm -f "$signed_mark"
fi
