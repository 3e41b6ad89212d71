/** `bun fill.ts FOLDER COUNT`: fills a folder in a process of its own, and prints its customer as JSON. */
import { fillFolder } from "./growth.ts";

const [folder = "", count = ""] = process.argv.slice(2);
console.log(JSON.stringify(await fillFolder(folder, Number(count))));
