/** The body of every error (contract, "Errors"). */
import { type Static, Type } from "@sinclair/typebox";
import { type ApiErrorCode, apiErrors, fieldCodes } from "../domain/api-error.ts";
import { choiceOf, listOf, objectOf, textOf } from "./response-fields.ts";

export const exampleCorrelationId = "7f0d2f52-1b0c-4f0e-9f2e-0d8b4a0f3c11";

const isErrorCode = (text: string): text is ApiErrorCode => text in apiErrors;
const errorCodes = Object.keys(apiErrors).filter(isErrorCode);

const fieldError = objectOf(
  "What is wrong with one field, parameter or header.",
  {
    field: textOf("The field's path; the name of a query parameter or header.", "messages[3].recipient"),
    code: choiceOf(fieldCodes, "A stable code.", "invalid_phone_number"),
    message: textOf("The same in words.", "Must be a mobile number, such as +989121234567."),
  },
  "FieldError",
);

export const errorSchema = objectOf(
  "Why a request was refused.",
  {
    code: choiceOf(errorCodes, "A stable code.", "validation_failed"),
    message: textOf("The same in words.", apiErrors.validation_failed.meaning),
    correlationId: textOf("The value of X-Correlation-Id.", exampleCorrelationId),
    errors: Type.Optional(
      listOf(fieldError, "What is wrong with each field, query parameter or header; only with `validation_failed`."),
    ),
  },
  "Error",
);
export type ErrorBody = Static<typeof errorSchema>;
