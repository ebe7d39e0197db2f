import { Module } from '@nestjs/common';
import { StreamCache } from './stream-cache.js';
import { StreamRunner } from './stream-runner.js';

@Module({ providers: [StreamCache, StreamRunner], exports: [StreamRunner] })
export class StreamsModule {}
