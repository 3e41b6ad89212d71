/** Files embedded in the binary; an import with `type: "file"` gives the path to read one at. */
declare module "*/standalone.js" {
  const path: string;
  export default path;
}
declare module "*.md" {
  const text: string;
  export default text;
}
