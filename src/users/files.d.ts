/** Common passwords, as part of the binary: imported with `type: "file"` it is the path under which the list can be read. */
declare module "@zxcvbn-ts/language-common/src/passwords.json" {
  const path: string;
  export default path;
}
