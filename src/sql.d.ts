/** Imported with `type: "file"`: the path under which it can be read. */
declare module "*/third-party.txt" {
  const path: string;
  export default path;
}

/** SQL files are imported as text. */
declare module "*.sql" {
  const sql: string;
  export default sql;
}
