/** Whether what is sent to a URL stays secret on its way: encrypted, or within this machine. */

const thisMachine = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

export const isSecureUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === "https:" || (protocol === "http:" && thisMachine.test(hostname));
