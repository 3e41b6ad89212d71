/** Files embedded in the binary; imported with `type: "file"`, each is the path under which it can be read. */
declare module "htmx.org/dist/htmx.min.js" {
  const path: string;
  export default path;
}
declare module "htmx.org/dist/ext/hx-sse.min.js" {
  const path: string;
  export default path;
}
declare module "@fontsource-variable/inter/LICENSE" {
  const path: string;
  export default path;
}
declare module "vazirmatn/OFL.txt" {
  const path: string;
  export default path;
}
declare module "*.woff2" {
  const path: string;
  export default path;
}
declare module "*.svg" {
  const path: string;
  export default path;
}
declare module "*.css" {
  const path: string;
  export default path;
}
declare module "*.browser.js" {
  const path: string;
  export default path;
}
