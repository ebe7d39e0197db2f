import { Waiter } from '@kit/waiter';
import type { Position } from '@ports/event-store.port';
import type { CollectionSchema } from '@ports/read-models.port';
import type { Collection, Document, Filter } from 'mongodb';
import { SharedReader } from '../shared-reader.js';
import { type Deadline, READ, type StoreClient } from './store-client.js';
import { isDuplicateKey } from './upserting.js';

/** A generation of rows that is being made beside the live one. */
export interface RebuildEntry {
  readonly generation: string;
  readonly checkpoint: Position;
  /** When its process was last seen alive (epoch milliseconds). */
  readonly seenAt: number;
}

/** What all processes know of a collection: one document, so that each change of it is one step. */
export interface RegistryEntry {
  /** The collection's name. */
  readonly _id: string;
  readonly version: number;
  /** The fields that rows of this version are kept with. */
  readonly fields: string;
  /** Which rows are live. A generation that was replaced never comes back. */
  readonly generation: string;
  readonly checkpoint: Position;
  /** The log's newest position when these rows were begun. Until they are as far they show a part of its events. */
  readonly replaced: Position;
  /** The name of the log that the rows are made of. Absent where an older program began them, which did not mark them either. */
  readonly log?: string | null;
  readonly rebuild: RebuildEntry | null;
  /** Generations that were replaced lately: readers may still be at them. */
  readonly retired: readonly { readonly generation: string; readonly at: number }[];
}

type Entries = ReadonlyMap<string, RegistryEntry>;

/** Raised when rows are kept in another way. Those of an older layout are projected anew. */
const LAYOUT = 1;

export function fieldsText({ filterFields, dueFields, shared }: CollectionSchema): string {
  return JSON.stringify({ filterFields, dueFields, shared, layout: LAYOUT });
}

/** The collections that are defined, and what is known here of each. */
export class CollectionRegistry {
  /** Signals that something new is known. */
  readonly changed = new Waiter();
  private readonly stored: Collection<RegistryEntry>;
  private readonly entries = new Map<string, RegistryEntry>();
  private readonly reader = new SharedReader(() => this.readAll());
  /** Counts readings and notes: a reading that began before a note may not know of it. */
  private turn = 0;
  private readonly notedIn = new Map<string, number>();

  constructor(private readonly client: StoreClient) {
    this.stored = client.collection('read-models');
    client.lost = () => this.entries.clear();
  }

  /** What was last seen here, at whatever time. */
  known(name: string): RegistryEntry | undefined {
    return this.entries.get(name);
  }

  /** What is stored, read after the call. */
  async entry(name: string): Promise<RegistryEntry | null> {
    return (await this.refresh()).get(name) ?? null;
  }

  /** Reads every entry, once for all who ask meanwhile. */
  refresh(): Promise<Entries> {
    return this.reader.read();
  }

  /** Stores the entry of a collection that has none. Resolves to whether it did. */
  async add(entry: RegistryEntry): Promise<boolean> {
    const isNew = await this.client.ask((deadline) => this.inserted(entry, deadline));
    if (isNew) this.note(entry);
    return isNew;
  }

  /** Changes an entry that meets the condition. Resolves to the changed one; null where it does not meet it. */
  async change(name: string, condition: Filter<RegistryEntry>, update: Document | Document[]): Promise<RegistryEntry | null> {
    const filter = { _id: name, ...condition } as Filter<RegistryEntry>;
    const entry = await this.client.ask((deadline) =>
      this.stored.findOneAndUpdate(filter, update, { returnDocument: 'after', ...deadline }),
    );
    if (entry) this.note(entry);
    return entry;
  }

  private async inserted(entry: RegistryEntry, deadline: Deadline): Promise<boolean> {
    try {
      await this.stored.insertOne(entry, deadline);
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  private note(entry: RegistryEntry): void {
    this.entries.set(entry._id, entry);
    this.notedIn.set(entry._id, ++this.turn);
    this.changed.wake();
  }

  private async readAll(): Promise<Entries> {
    const begunIn = ++this.turn;
    const stored = await this.client.ask((deadline) => this.stored.find({}, { ...READ, ...deadline }).toArray());
    const found = new Map(stored.map((entry) => [entry._id, entry]));
    for (const name of new Set([...found.keys(), ...this.entries.keys()])) {
      if ((this.notedIn.get(name) ?? 0) > begunIn) continue;
      const entry = found.get(name);
      if (entry) this.entries.set(name, entry);
      else this.entries.delete(name);
    }
    this.changed.wake();
    return found;
  }
}
