import { Module } from '@nestjs/common';
import { StreamsModule } from '../streams.module.js';
import { CustomerDirectory } from './customer-directory.js';
import { DeleteCustomerHandler, GetCustomerHandler, SaveCustomerHandler, UpdateCustomerHandler } from './customer.handlers.js';

@Module({
  imports: [StreamsModule],
  providers: [CustomerDirectory, SaveCustomerHandler, UpdateCustomerHandler, DeleteCustomerHandler, GetCustomerHandler],
  exports: [CustomerDirectory],
})
export class CustomersModule {}
