/** Conditions of a cluster: whether another node could take over without losing anything acknowledged. */
import { type ConditionFacts, condition, minuteMs } from "./condition.ts";

const unheardMsMax = minuteMs;
const behindMax = 20_000;
const silentMsMax = 5_000;

type Asked = Pick<ConditionFacts, "cluster">;
const nodeLabel = "{{ $labels.node }}";
const followers = ({ cluster }: Asked) => cluster()?.followers ?? [];

export const clusterConditions = {
  ClusterLogSilent: condition<{ silentMs: number }>()({
    severity: "page",
    limit: { kind: "duration", is: "over", value: silentMsMax },
    find: ({ cluster }: Asked) => {
      const silentMs = cluster()?.silentMs ?? 0;
      return silentMs > silentMsMax ? [{ silentMs }] : [];
    },
    rule: { expr: `peyk_cluster_silent_seconds > ${silentMsMax / 1_000}`, values: { silentMs: 0 } },
    help: ["high-availability", "daily-work"],
    en: {
      name: "PostgreSQL does not answer",
      says: ({ silentMs }, { duration }) =>
        `PostgreSQL has not answered for ${duration(silentMs)}: requests get 503, and nothing is sent`,
      todo: () => "peyk cluster status",
    },
    fa: {
      name: "پاسخ ندادن پایگاه دادهٔ خوشه",
      says: ({ silentMs }, { duration, name }) =>
        `${name("PostgreSQL")} به مدت ${duration(silentMs)} پاسخ نداده است: درخواست‌ها پاسخ ${name("503")} می‌گیرند و چیزی فرستاده نمی‌شود`,
    },
  }),
  NodeAway: condition<{ node: string | null; unheardMs: number }>()({
    severity: "ticket",
    limit: { kind: "duration", is: "over", value: unheardMsMax },
    holdMs: minuteMs,
    subject: ({ node }) => node ?? "",
    find: (facts: Asked) => {
      if (facts.cluster() === null) return [];
      const all = followers(facts);
      if (all.length === 0) return [{ node: null, unheardMs: 0 }];
      return all
        .filter(({ unheardMs }) => unheardMs > unheardMsMax)
        .map(({ node, unheardMs }) => ({ node, unheardMs }));
    },
    rule: {
      expr: `peyk_cluster_node_unheard_seconds > ${unheardMsMax / 1_000}`,
      values: { node: nodeLabel, unheardMs: 0 },
    },
    help: ["high-availability", "daily-work"],
    en: {
      name: "Node away",
      says: ({ node, unheardMs }, { duration, name }) =>
        node === null
          ? "The cluster has one node: nobody can take over"
          : `The node ${name(node)} was last heard of ${duration(unheardMs)} ago and could not take over`,
      todo: () => "peyk cluster status; one that does not come back: peyk cluster forget NODE",
    },
    fa: {
      name: "نبود یک گره",
      says: ({ node, unheardMs }, { duration, name }) =>
        node === null
          ? "این خوشه یک گره دارد و گره دیگری نیست که جایش را بگیرد"
          : `از گره ${name(node)} به مدت ${duration(unheardMs)} خبری نرسیده است و نمی‌تواند جای این گره را بگیرد`,
      todo: (_, { name }) =>
        `${name("peyk cluster status")}؛ اگر آن گره دیگر بازنمی‌گردد: ${name("peyk cluster forget NODE")}`,
    },
  }),
  NodeBehind: condition<{ node: string; behind: number }>()({
    severity: "ticket",
    limit: { kind: "number", is: "over", value: behindMax },
    holdMs: 5 * minuteMs,
    subject: ({ node }) => node,
    find: (facts: Asked) =>
      followers(facts)
        .filter(({ behind, unheardMs }) => behind > behindMax && unheardMs <= unheardMsMax)
        .map(({ node, behind }) => ({ node, behind })),
    rule: { expr: `peyk_cluster_node_behind_entries > ${behindMax}`, values: { node: nodeLabel, behind: behindMax } },
    help: ["high-availability", "daily-work"],
    en: {
      name: "Node behind",
      says: ({ node, behind }, { number, name }) =>
        `The node ${name(node)} is ${number(behind)} entries behind: a take-over would take longer`,
      todo: () => "peyk cluster status",
    },
    fa: {
      name: "عقب‌ماندن گره",
      says: ({ node, behind }, { number, name }) =>
        `گره ${name(node)} ${number(behind)} مدخل عقب است و به‌دست‌گرفتن کار بیشتر طول می‌کشد`,
    },
  }),
  NodeCannotWrite: condition<{ node: string }>()({
    severity: "ticket",
    holdMs: minuteMs,
    subject: ({ node }) => node,
    find: (facts: Asked) =>
      followers(facts)
        .filter(({ canWrite, unheardMs }) => canWrite === false && unheardMs <= unheardMsMax)
        .map(({ node }) => ({ node })),
    rule: { expr: "peyk_cluster_node_can_write == 0", values: { node: nodeLabel } },
    help: ["high-availability", "daily-work"],
    en: {
      name: "Node without room",
      says: ({ node }, { name }) =>
        `The disk of the node ${name(node)} is nearly full or refuses writes: that node does not take over`,
      todo: () => "Free space on that node, or look at its log",
    },
    fa: {
      name: "جا نداشتن یک گره",
      says: ({ node }, { name }) =>
        `دیسک گره ${name(node)} تقریباً پر است یا نوشتن را رد می‌کند: آن گره کار را به دست نمی‌گیرد`,
      todo: () => "روی آن گره جا باز کنید یا گزارش آن را ببینید",
    },
  }),
  NodesDiffer: condition<{ node: string; wrong: "own" | "leader" | "unknown" }>()({
    severity: "page",
    subject: ({ node }) => node,
    find: (facts: Asked) =>
      followers(facts).flatMap(({ node, differs }) => (differs === null ? [] : [{ node, wrong: differs.wrong }])),
    rule: { expr: "peyk_cluster_node_differing_pages > 0", values: { node: nodeLabel, wrong: "unknown" } },
    help: ["high-availability", "when-nodes-differ"],
    en: {
      name: "Nodes differ",
      says: ({ node, wrong }, { name }) =>
        ({
          own: `Pages of the database file on ${name(node)} are damaged, as the log proves: that node does not take over`,
          leader: `Pages of the database file on this node are damaged, as the log proves; ${name(node)} has them right`,
          unknown: `The database file on ${name(node)} differs from this node's: that node does not take over`,
        })[wrong],
      todo: ({ wrong }) =>
        wrong === "leader"
          ? "peyk cluster hand-over, then give this node its data anew: peyk cluster copy there, peyk cluster join here"
          : "peyk cluster status; then give that node its data anew: peyk cluster copy here, peyk cluster join there",
    },
    fa: {
      name: "یکی نبودن گره‌ها",
      says: ({ node, wrong }, { name }) =>
        ({
          own: `صفحه‌هایی از فایل پایگاه دادهٔ گره ${name(node)} خراب است و دفتر خوشه این را ثابت می‌کند: آن گره کار را به دست نمی‌گیرد`,
          leader: `صفحه‌هایی از فایل پایگاه دادهٔ این گره خراب است و دفتر خوشه این را ثابت می‌کند؛ در گره ${name(node)} درست است`,
          unknown: `فایل پایگاه دادهٔ گره ${name(node)} با این گره یکی نیست: آن گره کار را به دست نمی‌گیرد`,
        })[wrong],
      todo: ({ wrong }, { name }) =>
        wrong === "leader"
          ? `${name("peyk cluster hand-over")}؛ سپس داده‌های این گره را از نو بگیرید: آنجا ${name("peyk cluster copy")} و اینجا ${name("peyk cluster join")}`
          : `${name("peyk cluster status")}؛ سپس داده‌های آن گره را از نو بدهید: اینجا ${name("peyk cluster copy")} و آنجا ${name("peyk cluster join")}`,
    },
  }),
  EngineUnprotected: condition<{ lacks: "standby" | "sync" }>()({
    severity: "ticket",
    find: ({ cluster }: Asked) => {
      const state = cluster();
      if (state === null) return [];
      return [
        ...(state.isSynchronous ? [] : [{ lacks: "standby" as const }]),
        ...(state.hasFsync ? [] : [{ lacks: "sync" as const }]),
      ].slice(0, 1);
    },
    rule: { expr: "peyk_cluster_engine_protected == 0", values: { lacks: "standby" } },
    help: ["high-availability", "set-up"],
    en: {
      name: "PostgreSQL unprotected",
      says: ({ lacks }) =>
        lacks === "standby"
          ? "PostgreSQL has no synchronous standby: what was acknowledged is lost with its machine"
          : "PostgreSQL does not sync (fsync = off): what was acknowledged is lost with a power cut",
      todo: ({ lacks }) =>
        lacks === "standby" ? "Set synchronous_standby_names in PostgreSQL" : "Set fsync = on in PostgreSQL",
    },
    fa: {
      name: "بی‌پشتیبان بودن پایگاه دادهٔ خوشه",
      says: ({ lacks }, { name }) =>
        lacks === "standby"
          ? `${name("PostgreSQL")} نسخهٔ همگام ندارد: آنچه تأیید شده است با از دست رفتن دستگاه آن از دست می‌رود`
          : `${name("PostgreSQL")} نوشته‌ها را روی دیسک همگام نمی‌کند (${name("fsync = off")}): آنچه تأیید شده است با قطع برق از دست می‌رود`,
      todo: ({ lacks }, { name }) =>
        lacks === "standby"
          ? `در ${name("PostgreSQL")} تنظیم کنید: ${name("synchronous_standby_names")}`
          : `در ${name("PostgreSQL")} تنظیم کنید: ${name("fsync = on")}`,
    },
  }),
};
