/** Files that are part of the binary; imported with `type: "file"`, each is the path under which it can be read. */
declare module "@scalar/api-reference/browser/standalone.js" {
  const path: string;
  export default path;
}
declare module "*.md" {
  const text: string;
  export default text;
}
