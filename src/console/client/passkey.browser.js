/**
 * Asks the browser for a passkey and puts its answer into the form of the button; on the page for signing in, also as
 * soon as the person chooses one in the field. Without this, the buttons stay hidden and passwords work.
 */
(() => {
  const { PublicKeyCredential } = window;
  if (PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) return;
  /** Before the server's five minutes end. */
  const freshMs = 240_000;
  /** What waits in the field; a question in a dialog of the browser ends it. @type {AbortController | null} */
  let waiting = null;

  /** @param {HTMLElement} button */
  async function optionsOf(button) {
    const given = button.dataset.passkey ?? "";
    if (given.startsWith("{")) return JSON.parse(given);
    const answer = await fetch(given, { cache: "no-store" });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return answer.json();
  }

  /** @param {HTMLButtonElement} button @param {Credential | null} credential */
  function send(button, credential) {
    const field = button.form?.elements.namedItem("passkey");
    if (!(credential instanceof PublicKeyCredential) || !(field instanceof HTMLInputElement)) return;
    field.value = JSON.stringify(credential.toJSON());
    button.form?.requestSubmit();
  }

  /** @param {HTMLButtonElement} button @param {string | null} problem */
  function tell(button, problem) {
    for (const one of button.form?.querySelectorAll("[data-passkey-problem]") ?? [])
      one.toggleAttribute("hidden", one.getAttribute("data-passkey-problem") !== problem);
  }

  /** @param {HTMLButtonElement} button */
  async function ask(button) {
    waiting?.abort();
    tell(button, null);
    try {
      const json = await optionsOf(button);
      const credential = await ("rp" in json
        ? navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) })
        : navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) }));
      send(button, credential);
    } catch (reason) {
      if (button.dataset.inField !== undefined) waitInField(button);
      tell(button, reason instanceof Error && reason.name === "InvalidStateError" ? "there" : "none");
    }
  }

  const shown = () =>
    document.hidden
      ? new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }))
      : null;

  /** @param {HTMLButtonElement} button */
  async function waitInField(button) {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    for (let isStale = true; isStale; ) {
      await shown();
      const ending = new AbortController();
      const { signal } = ending;
      waiting = ending;
      const timer = setTimeout(() => ending.abort("stale"), freshMs);
      try {
        const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await optionsOf(button));
        send(button, await navigator.credentials.get({ mediation: "conditional", publicKey, signal }));
        return;
      } catch {
        isStale = signal.reason === "stale";
      } finally {
        clearTimeout(timer);
      }
    }
  }

  for (const button of document.querySelectorAll("button[data-passkey]")) {
    if (!(button instanceof HTMLButtonElement)) continue;
    button.hidden = false;
    button.addEventListener("click", () => ask(button));
    if (button.dataset.inField !== undefined) waitInField(button);
  }
  for (const one of document.querySelectorAll("[data-passkey-without]")) one.setAttribute("hidden", "");
})();
