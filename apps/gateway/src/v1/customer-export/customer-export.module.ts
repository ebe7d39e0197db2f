import { Module } from '@nestjs/common';
import { HttpModule } from '../../http/http.module.js';
import { CustomerExports } from './customer-exports.js';
import { ExportedCustomer } from './exported-customer.js';

/** One for clients and administrators: their exports share the places of a project. */
@Module({ imports: [HttpModule], providers: [ExportedCustomer, CustomerExports], exports: [CustomerExports] })
export class CustomerExportModule {}
