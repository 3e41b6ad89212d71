/** SQL files are imported as text. */
declare module "*.sql" {
  const sql: string;
  export default sql;
}
