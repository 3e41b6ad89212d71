/** Files of `systemd/` and the installer, imported as text. */
declare module "*.service" {
  const text: string;
  export default text;
}
declare module "*.path" {
  const text: string;
  export default text;
}
declare module "*.conf" {
  const text: string;
  export default text;
}
declare module "*.sh" {
  const text: string;
  export default text;
}
