/** Files that are part of the binary; imported with `type: "file"`, each is the path under which it can be read. */
declare module "swagger-ui-dist/swagger-ui.css" {
  const path: string;
  export default path;
}
declare module "swagger-ui-dist/swagger-ui-bundle.js" {
  const path: string;
  export default path;
}
declare module "*.md" {
  const text: string;
  export default text;
}
