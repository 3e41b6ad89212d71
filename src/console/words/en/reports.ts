/** English: figures over time. */

const reports = {
  title: "Reports",
  presets: "Time",
  preset: {
    today: "Today",
    yesterday: "Yesterday",
    week: "7 days",
    month: "This month",
    lastMonth: "Last month",
  },
  by: "By",
  dimension: {
    account: "Account",
    sender: "Sender",
    route: "Route",
    network: "Network",
    day: "Day",
    hour: "Hour",
    month: "Month",
  },
  figure: {
    messages: "Messages",
    parts: "Parts",
    delivered: "Delivered",
    failed: "Failed",
    median: "Time to delivery, median",
    p95: "Time to delivery, 95%",
  },
  before: (text: string) => `${text} in the period before`,
  chartTitle: "Messages a day, by outcome",
  total: "Total",
  unknown: "not known",
  note: "Counted by the time of acceptance, in your time zone.",
  emptyTitle: "Nothing was sent in this time",
  emptyWords: "Choose another time.",
};

export const enReports = { reports };
