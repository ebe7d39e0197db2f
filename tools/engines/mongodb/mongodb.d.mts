import type { EngineProcess } from '../engine-process.mjs';

/**
 * Starts MongoDB on the data of this directory, installed where it is missing. It is one server without replicas: transactions,
 * sessions, users, TLS and the deletion of expired documents are missing.
 */
export function startMongoDb(options: { readonly directory: string }): Promise<EngineProcess>;
