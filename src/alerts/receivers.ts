/** Receivers of alerts: the console overrides the settings file, channel by channel. */
import { type AlertChannelName, alertChannelNames } from "../domain/alert-channel.ts";
import type { AlertReceiverValues } from "../domain/alert-receiver.ts";
import type { Sealer } from "../platform/seal.ts";
import type { Store } from "../store/store.ts";
import type { AlertChannel } from "./channel.ts";

/** Read at each use; empty if there is none. */
export type ReadSecret = () => string;

type Named = { readonly [Name in AlertChannelName]: { channel: Name; values: AlertReceiverValues[Name] } };
/** A receiver, by the name of its channel. */
export type AlertReceiver = Named[AlertChannelName];

/** A receiver that the settings file names. */
export type FileReceiver = AlertReceiver & { secret: ReadSecret };

export interface ReceiverState {
  channel: AlertChannelName;
  /** `off`: switched off in the console; null: nobody is named anywhere. */
  from: "console" | "file" | "off" | null;
  receiver: AlertReceiver | null;
  /** The file names one, too, which is used once that of the console is removed. */
  isInFile: boolean;
  hasSecret: boolean;
}

interface ReceiversDeps {
  store: Pick<Store, "tables" | "write">;
  sealer: Sealer;
  file: readonly FileReceiver[];
  channelOf(receiver: AlertReceiver, secret: ReadSecret): AlertChannel;
}

interface KeptReceiver {
  receiver: AlertReceiver | null;
  sealedSecret: Uint8Array | null;
}

export class AlertReceivers {
  readonly #kept = new Map<AlertChannelName, KeptReceiver>();
  #channels: readonly AlertChannel[];

  constructor(private readonly deps: ReceiversDeps) {
    for (const { channel, settings, sealedSecret } of deps.store.tables.alertState.receivers()) {
      const receiver: AlertReceiver | null = settings === null ? null : { channel, values: JSON.parse(settings) };
      this.#kept.set(channel, { receiver, sealedSecret });
    }
    this.#channels = this.#opened();
  }

  /** Those that alerts are sent by. */
  channels = (): readonly AlertChannel[] => this.#channels;

  states(): ReceiverState[] {
    return alertChannelNames.map((channel) => {
      const kept = this.#kept.get(channel);
      const inFile = this.#inFile(channel);
      const isInFile = inFile !== null;
      if (kept === undefined) {
        return { channel, from: isInFile ? "file" : null, receiver: inFile, isInFile, hasSecret: isInFile };
      }
      const from = kept.receiver === null ? "off" : "console";
      return { channel, from, receiver: kept.receiver, isInFile, hasSecret: kept.sealedSecret !== null };
    });
  }

  /** `secret`: null for none, undefined to keep the stored one. Rejects with StoreUnavailable. */
  set(receiver: AlertReceiver, secret: string | null | undefined): Promise<void> {
    const { channel, values } = receiver;
    const stored = this.#kept.get(channel)?.sealedSecret ?? null;
    const sealedSecret = secret === undefined ? stored : secret === null ? null : this.deps.sealer.seal(secret);
    return this.#keep(channel, { receiver, sealedSecret }, JSON.stringify(values));
  }

  /** No alert goes by this channel, whatever the file says. */
  switchOff(channel: AlertChannelName): Promise<void> {
    return this.#keep(channel, { receiver: null, sealedSecret: null }, null);
  }

  /** From now on the file decides. */
  async remove(channel: AlertChannelName): Promise<void> {
    await this.deps.store.write(({ alertState }) => alertState.removeReceiver(channel));
    this.#kept.delete(channel);
    this.#channels = this.#opened();
  }

  async #keep(channel: AlertChannelName, kept: KeptReceiver, settings: string | null): Promise<void> {
    const row = { channel, settings, sealedSecret: kept.sealedSecret };
    await this.deps.store.write(({ alertState }) => alertState.putReceiver(row));
    this.#kept.set(channel, kept);
    this.#channels = this.#opened();
  }

  #inFile(channel: AlertChannelName): FileReceiver | null {
    return this.deps.file.find((one) => one.channel === channel) ?? null;
  }

  #opened(): AlertChannel[] {
    const { sealer, channelOf } = this.deps;
    return alertChannelNames.flatMap((channel) => {
      const kept = this.#kept.get(channel);
      if (kept === undefined) {
        const inFile = this.#inFile(channel);
        return inFile === null ? [] : [channelOf(inFile, inFile.secret)];
      }
      const { receiver, sealedSecret } = kept;
      if (receiver === null) return [];
      return [channelOf(receiver, () => (sealedSecret === null ? "" : sealer.open(sealedSecret)))];
    });
  }
}
