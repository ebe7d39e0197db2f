import { Module } from '@nestjs/common';
import { Claims } from './claims/claims.js';
import { FoldCache } from './fold-cache.js';
import { StreamRunner } from './stream-runner.js';

/** What every feature writes through. The ports come from the engine and adapter modules, which are global. */
@Module({ providers: [FoldCache, StreamRunner, Claims], exports: [StreamRunner, Claims] })
export class StreamsModule {}
