import { describe, expect, test } from 'vitest'
import { codeLanguages, generateCode } from './generate-code.ts'
import { modelClient } from './model-client.ts'
import type { ServiceRequest } from './service-request.ts'
import { jsString, quotedString, shellWord } from './string-literal.ts'

const aws = { region: 'eu-west-1' }
const local = { region: 'us-east-1', endpoint: 'http://localhost:8000', accessKeyId: 'local' }

const query: ServiceRequest = {
  operation: 'Query',
  input: {
    TableName: 'shop',
    IndexName: 'gsi1',
    KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :sk)',
    ExpressionAttributeNames: { '#pk': 'GSI1PK', '#sk': 'GSI1SK' },
    ExpressionAttributeValues: { ':pk': { S: 'ORDER#1' }, ':sk': { S: 'ITEM#' } },
    ScanIndexForward: false,
  },
}

const hostile = 'it\'s "quoted" \\ `$HOME` ${x} \\u0041\n\t\0 \u202e \u{1f600} ;--'
const getHostile: ServiceRequest = {
  operation: 'GetItem',
  input: { TableName: 't', Key: { ['__proto__']: { S: hostile }, n: { N: '12345678901234567890.5' } } },
}

describe('code for a query', () => {
  test('JavaScript reads all pages', () => {
    expect(generateCode('javascript', [query], local)).toMatchInlineSnapshot(`
      "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
      import { DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb'

      const client = DynamoDBDocumentClient.from(
        new DynamoDBClient({
          endpoint: 'http://localhost:8000',
          region: 'us-east-1',
          credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
        }),
      )

      const items = []
      const pages = paginateQuery({ client }, {
        TableName: 'shop',
        IndexName: 'gsi1',
        KeyConditionExpression: '#pk = :pk AND begins_with(#sk, :sk)',
        ExpressionAttributeNames: { '#pk': 'GSI1PK', '#sk': 'GSI1SK' },
        ExpressionAttributeValues: { ':pk': 'ORDER#1', ':sk': 'ITEM#' },
        ScanIndexForward: false,
      })
      for await (const page of pages) items.push(...(page.Items ?? []))
      console.log(items)
      "
    `)
  })
  test('Python reads all pages', () => {
    expect(generateCode('python', [query], local)).toMatchInlineSnapshot(`
      "import boto3

      dynamodb = boto3.resource(
          "dynamodb",
          endpoint_url="http://localhost:8000",
          region_name="us-east-1",
          aws_access_key_id="local",
          aws_secret_access_key="local",
      )
      table = dynamodb.Table("shop")

      items = []
      start = {}
      while start is not None:
          response = table.query(
              IndexName="gsi1",
              KeyConditionExpression="#pk = :pk AND begins_with(#sk, :sk)",
              ExpressionAttributeNames={"#pk": "GSI1PK", "#sk": "GSI1SK"},
              ExpressionAttributeValues={":pk": "ORDER#1", ":sk": "ITEM#"},
              ScanIndexForward=False,
              **start,
          )
          items += response["Items"]
          start = {"ExclusiveStartKey": response["LastEvaluatedKey"]} if "LastEvaluatedKey" in response else None
      print(items)
      "
    `)
  })
  test('the AWS CLI pages by itself', () => {
    expect(generateCode('cli', [query], aws)).toMatchInlineSnapshot(`
      "aws dynamodb query \\
        --table-name shop \\
        --index-name gsi1 \\
        --key-condition-expression '#pk = :pk AND begins_with(#sk, :sk)' \\
        --expression-attribute-names '{"#pk":"GSI1PK","#sk":"GSI1SK"}' \\
        --expression-attribute-values '{":pk":{"S":"ORDER#1"},":sk":{"S":"ITEM#"}}' \\
        --no-scan-index-forward \\
        --region eu-west-1
      "
    `)
  })
  test('Java', () => {
    expect(generateCode('java', [query], local)).toMatchInlineSnapshot(`
      "import java.net.URI;
      import java.util.Map;
      import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
      import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
      import software.amazon.awssdk.regions.Region;
      import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
      import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
      import software.amazon.awssdk.services.dynamodb.model.QueryRequest;

      public class Example {
          public static void main(String[] args) {
              try (DynamoDbClient client = DynamoDbClient.builder()
                      .endpointOverride(URI.create("http://localhost:8000"))
                      .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                      .region(Region.of("us-east-1"))
                      .build()) {
                  QueryRequest request = QueryRequest.builder()
                          .tableName("shop")
                          .indexName("gsi1")
                          .keyConditionExpression("#pk = :pk AND begins_with(#sk, :sk)")
                          .expressionAttributeNames(Map.of("#pk", "GSI1PK", "#sk", "GSI1SK"))
                          .expressionAttributeValues(Map.of(
                                  ":pk", AttributeValue.fromS("ORDER#1"),
                                  ":sk", AttributeValue.fromS("ITEM#")))
                          .scanIndexForward(false)
                          .build();
                  for (Map<String, AttributeValue> item : client.queryPaginator(request).items()) {
                      System.out.println(item);
                  }
              }
          }
      }
      "
    `)
  })
  test('Go', () => {
    expect(generateCode('go', [query], local)).toMatchInlineSnapshot(`
      "package main

      import (
      	"context"
      	"fmt"
      	"log"

      	"github.com/aws/aws-sdk-go-v2/aws"
      	"github.com/aws/aws-sdk-go-v2/config"
      	"github.com/aws/aws-sdk-go-v2/credentials"
      	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
      	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
      )

      func main() {
      	ctx := context.Background()
      	cfg, err := config.LoadDefaultConfig(ctx,
      		config.WithRegion("us-east-1"),
      		config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider("local", "local", "")),
      	)
      	if err != nil {
      		log.Fatal(err)
      	}
      	client := dynamodb.NewFromConfig(cfg, func(options *dynamodb.Options) {
      		options.BaseEndpoint = aws.String("http://localhost:8000")
      	})

      	input := &dynamodb.QueryInput{
      		TableName:              aws.String("shop"),
      		IndexName:              aws.String("gsi1"),
      		KeyConditionExpression: aws.String("#pk = :pk AND begins_with(#sk, :sk)"),
      		ExpressionAttributeNames: map[string]string{
      			"#pk": "GSI1PK",
      			"#sk": "GSI1SK",
      		},
      		ExpressionAttributeValues: map[string]types.AttributeValue{
      			":pk": &types.AttributeValueMemberS{Value: "ORDER#1"},
      			":sk": &types.AttributeValueMemberS{Value: "ITEM#"},
      		},
      		ScanIndexForward: aws.Bool(false),
      	}
      	paginator := dynamodb.NewQueryPaginator(client, input)
      	for paginator.HasMorePages() {
      		page, err := paginator.NextPage(ctx)
      		if err != nil {
      			log.Fatal(err)
      		}
      		for _, item := range page.Items {
      			fmt.Println(item)
      		}
      	}
      }
      "
    `)
  })
  test('with a limit, it is one request', () => {
    const limited = { ...query, input: { ...query.input, Limit: 5 } }
    expect(generateCode('javascript', [limited], aws)).toContain('new QueryCommand(')
    expect(generateCode('python', [limited], aws)).not.toContain('while')
    expect(generateCode('java', [limited], aws)).toContain('client.query(request).items()')
    expect(generateCode('go', [limited], aws)).toContain('aws.Int32(5)')
  })
  test('of several shards, it is one request for each', () => {
    const shards = ['A#0', 'A#1', 'A#2'].map((S) => ({
      ...query,
      input: { ...query.input, ExpressionAttributeValues: { ':pk': { S }, ':sk': { S: 'ITEM#' } } },
    }))
    for (const { id } of codeLanguages) {
      const code = generateCode(id, shards, aws)
      for (const name of ['A#0', 'A#1', 'A#2']) expect(code).toContain(name)
      expect(code).toContain('partition')
    }
    expect(generateCode('cli', shards, aws)).toMatchInlineSnapshot(`
      "# One request per shard.
      for partition in 'A#0' 'A#1' 'A#2'; do
        aws dynamodb query \\
          --table-name shop \\
          --index-name gsi1 \\
          --key-condition-expression '#pk = :pk AND begins_with(#sk, :sk)' \\
          --expression-attribute-names '{"#pk":"GSI1PK","#sk":"GSI1SK"}' \\
          --expression-attribute-values '{":pk":{"S":"'"$partition"'"},":sk":{"S":"ITEM#"}}' \\
          --no-scan-index-forward \\
          --region eu-west-1
      done
      "
    `)
  })
})

describe('strings', () => {
  test('of JavaScript are read back as they were', () => {
    for (const text of [hostile, "'", '"', '\'"', '\u2028', '</script>']) {
      // oxlint-disable-next-line typescript/no-implied-eval
      expect(new Function(`return ${jsString(text)}`)()).toBe(text)
    }
  })
  test('in double quotes show what cannot be seen', () => {
    expect(quotedString('a\u202eb\ufeff\u0000"')).toBe(String.raw`"a\u202eb\ufeff\u0000\""`)
    expect(quotedString('\ud800')).toBe('"\ufffd"')
  })
  test('of a shell are one word', () => {
    expect(shellWord("it's")).toBe(String.raw`'it'\''s'`)
    expect(shellWord('$(rm -rf ~)')).toBe("'$(rm -rf ~)'")
    expect(shellWord('us-east-1')).toBe('us-east-1')
    expect(shellWord('')).toBe("''")
  })
})

describe('values', () => {
  test('an attribute called __proto__ is one in JavaScript, and a long number keeps its digits', () => {
    const code = generateCode('javascript', [getHostile], aws)
    expect(code).toContain("['__proto__']:")
    expect(code).toContain("NumberValue.from('12345678901234567890.5')")
  })
  test('every type is written in every language', () => {
    const request: ServiceRequest = {
      operation: 'Scan',
      input: {
        TableName: 't',
        FilterExpression: '#a IN (:b, :bs, :ns, :m, :nul, :bool)',
        ExpressionAttributeNames: { '#a': 'a' },
        ExpressionAttributeValues: {
          ':b': { B: 'AQI=' },
          ':bs': { BS: ['AQ==', 'Ag=='] },
          ':ns': { NS: ['1', '2.5'] },
          ':m': { M: { list: { L: [{ SS: ['x', 'y'] }, { NULL: true }] } } },
          ':nul': { NULL: true },
          ':bool': { BOOL: false },
        },
      },
    }
    const java = generateCode('java', [request], aws)
    expect(java).toContain('AttributeValue.fromBs(List.of(')
    expect(java).toMatch(/AttributeValue\.fromM\(Map\.of\(\s+"list", AttributeValue\.fromL\(/)
    const go = generateCode('go', [request], aws)
    expect(go).toContain('&types.AttributeValueMemberB{Value: binary("AQI=")}')
    expect(go).toContain('func binary(text string) []byte {')
    const python = generateCode('python', [request], aws)
    expect(python).toContain('":ns": {1, Decimal("2.5")}')
    expect(python).toContain('import base64')
    expect(generateCode('javascript', [request], aws)).toContain("new Set([Buffer.from('AQ==', 'base64')")
  })
  test('Java takes more than ten placeholders', () => {
    const values = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`:v${n}`, { S: 'x' }]))
    const code = generateCode(
      'java',
      [{ ...query, input: { ...query.input, ExpressionAttributeValues: values } }],
      aws,
    )
    expect(code).toContain('Map.ofEntries(')
  })
})

test('the model client is imported from the model and called by the name of the pattern', () => {
  const code = modelClient(
    {
      file: 'examples/shop/shop.model.ts',
      exportName: 'shop',
      pattern: 'ordersOfCustomer',
      action: 'query',
      parameters: { customerId: "o'1", placedAt: { from: '2026-01' } },
      isLimited: true,
    },
    aws,
  )
  expect(code).toMatchInlineSnapshot(`
    "import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
    import { connect } from '@hashrange/model'
    import { shop } from './shop.model.ts'

    const client = new DynamoDBClient({ region: 'eu-west-1' })
    const db = connect(shop, client)

    const { entries, cursor, cost } = await db.ordersOfCustomer({ customerId: "o'1", placedAt: { from: '2026-01' } })
    for (const { entity, item } of entries) console.log(entity, item)
    console.log(cost, cursor) // { cursor } as the second argument gives the next page
    "
  `)
})
