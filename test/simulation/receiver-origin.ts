/** Where the receiver of callbacks is. */
export const receiverOrigin = "https://hooks.lan";
