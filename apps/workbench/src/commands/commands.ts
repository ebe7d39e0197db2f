import type { Command } from './command.js';
import { explain } from './explain.js';
import { fold } from './fold.js';
import { log } from './log.js';
import { rebuild } from './rebuild.js';
import { retry } from './retry.js';
import { skipped } from './skipped.js';
import { snapshot } from './snapshot.js';
import { status } from './status.js';
import { tasks } from './tasks.js';
import { verify } from './verify.js';

export const COMMANDS: readonly Command[] = [status, rebuild, tasks, skipped, retry, fold, verify, explain, snapshot, log];
