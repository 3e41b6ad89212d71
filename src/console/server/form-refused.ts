/** The form is not read; the message says why. */
export class FormRefused extends Error {
  override readonly name = "FormRefused";
  readonly status: 400 | 408 | 411 | 413 | 429;

  constructor(status: FormRefused["status"], message: string) {
    super(message);
    this.status = status;
  }
}
