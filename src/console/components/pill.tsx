/** A state as an icon, a word and a tint, so that colour is not the only distinction. */
import type { IconName } from "../assets/icons.ts";
import { useLocale } from "../locale.ts";
import { Icon } from "./inline.tsx";

export type Tone = "wait" | "info" | "ok" | "warn" | "bad";

const shapes = {
  waiting: ["wait", "clock"],
  scheduled: ["wait", "calendar"],
  cancelled: ["wait", "cancelled"],
  off: ["wait", "off"],
  draft: ["wait", "document"],
  sending: ["info", "again"],
  sent: ["info", "send"],
  delivered: ["ok", "ok"],
  up: ["ok", "ok"],
  active: ["ok", "ok"],
  approved: ["ok", "approval"],
  unsure: ["warn", "unsure"],
  suspended: ["warn", "pause"],
  attention: ["warn", "warning"],
  failed: ["bad", "failed"],
  down: ["bad", "alert"],
  revoked: ["wait", "cancelled"],
  expired: ["wait", "clock"],
  keyEnded: ["wait", "key"],
} as const satisfies Record<string, readonly [Tone, IconName]>;

export type PillState = keyof typeof shapes;

/** How grave a state is, and its icon. */
export const stateShape = (state: PillState): readonly [Tone, IconName] => shapes[state];

export function Pill({ state }: { state: PillState }) {
  const { words } = useLocale();
  const [tone, icon] = shapes[state];
  return (
    <TonePill tone={tone} icon={icon}>
      {words.states[state]}
    </TonePill>
  );
}

/** For a state that is not in the table: its word and severity. */
export function TonePill({ tone, icon, children }: { tone: Tone; icon?: IconName; children: string }) {
  return (
    <span class={`pill tint-${tone}`}>
      <Icon name={icon ?? toneIcons[tone]} />
      {children}
    </span>
  );
}

export const toneIcons: Readonly<Record<Tone, IconName>> = {
  wait: "clock",
  info: "info",
  ok: "ok",
  warn: "warning",
  bad: "alert",
};
