/** Common passwords, embedded in the binary: imported with `type: "file"`, the value is the path of the list. */
declare module "@zxcvbn-ts/language-common/src/passwords.json" {
  const path: string;
  export default path;
}
