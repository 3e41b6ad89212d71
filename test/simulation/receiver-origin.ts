/** The address of the receiver of callbacks. */
export const receiverOrigin = "https://hooks.lan";
