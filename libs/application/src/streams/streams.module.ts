import { Module } from '@nestjs/common';
import { StreamCache } from './stream-cache.js';
import { StreamRunner } from './stream-runner.js';

/** What every feature writes through. The ports come from the engine and adapter modules, which are global. */
@Module({ providers: [StreamCache, StreamRunner], exports: [StreamRunner] })
export class StreamsModule {}
