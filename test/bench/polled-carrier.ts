/** A carrier in a process of its own that must be asked for reports, and reports nothing: the most work for whoever asks. */
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
