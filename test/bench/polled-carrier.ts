/** A carrier in its own process that must be polled for reports, and reports nothing: the most work for whoever polls. */
let questions = 0;

const carrier = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const ids = new URL(request.url).searchParams.get("ids");
    if (ids === null) return Response.json({ questions });
    questions += 1;
    return Response.json({ entries: ids.split(",").map((id) => ({ id, status: 1, statustext: "on its way" })) });
  },
});

console.log(carrier.port);
