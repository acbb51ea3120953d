import { dynamodbTarget, type ResourcePort } from '@hashrange/templates'
import type { DatabasePort } from '@hashrange/transfer'

/** A database without the services beside it: on AWS, those have other addresses. */
export function tablesAlone(database: DatabasePort): ResourcePort {
  return {
    call: async (target, operation, input, region) => {
      if (target === dynamodbTarget) return database.request(operation, input, region)
      // As where nothing scales: the database then says what replicas need.
      if (operation.startsWith('Describe')) return {}
      throw new Error('Auto scaling is not applied here. Deploy the file with the tool that it is for.')
    },
  }
}
