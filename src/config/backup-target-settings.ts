/** The settings of the bucket that copies of the database are brought to. */
import {
  booleanSetting,
  integerSetting,
  optionalFileSetting,
  optionalUrlSetting,
  range,
  textSetting,
} from "./setting-types.ts";

export const backupTargetSettings = {
  endpoint: optionalUrlSetting({
    help: "S3-compatible storage that copies of the database are brought to, such as https://s3.example.com; none unless set.",
  }),
  bucket: textSetting(
    "name",
    "the name of a bucket: 3 to 63 small letters, digits, dots and hyphens",
    (value) => value === "" || /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value),
    { default: "", help: "The bucket that they go to." },
  ),
  prefix: textSetting(
    "text",
    "at most 200 letters, digits and -_./",
    (value) => /^[A-Za-z0-9._/-]{0,200}$/.test(value) && !/(?:^|\/)(?:\.{0,2}\/|\.{1,2}$)/.test(value),
    { default: "peyk/", help: "What the names of the copies in the bucket begin with." },
  ),
  region: textSetting("region", "a region such as us-east-1", (value) => /^[a-z0-9-]{1,40}$/i.test(value), {
    default: "us-east-1",
    help: "The region that its requests are signed for.",
  }),
  pathStyle: booleanSetting({
    default: true,
    help: "Whether the bucket stands in the path of a URL; false: before the host's name.",
  }),
  keyFile: optionalFileSetting({ help: "File with the access key, in one line: ACCESS_KEY_ID:SECRET_ACCESS_KEY." }),
  caFile: optionalFileSetting({ help: "PEM file of authorities that are trusted for it, beside the system's own." }),
  publicKey: textSetting(
    "age1…",
    "the public key that peyk backup target-key shows",
    (value) => value === "" || /^age1[02-9ac-hj-np-z]{58}$/.test(value),
    {
      default: "",
      help: "Key that the copies are sealed for, from peyk backup target-key; without it nothing is uploaded.",
    },
  ),
  keep: integerSetting(range(1, 10_000), {
    default: 30,
    unit: "copies",
    help: "How many of the newest of each kind, nightly and frequent, are kept there.",
  }),
  keepDays: integerSetting(range(1, 3650), {
    default: 90,
    unit: "days",
    help: "After how many days they are deleted all the same; the newest of each kind is kept.",
  }),
};
