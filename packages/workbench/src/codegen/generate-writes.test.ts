import { describe, expect, test } from 'vitest'
import { codeLanguages, generateCode } from './generate-code.ts'
import type { WriteRequest } from './service-request.ts'

const aws = { region: 'eu-west-1' }
const local = { region: 'us-east-1', endpoint: 'http://localhost:8000', accessKeyId: 'local' }

const update: WriteRequest = {
  operation: 'UpdateItem',
  input: {
    TableName: 'shop',
    Key: { PK: { S: 'A' }, SK: { N: '1' } },
    UpdateExpression: 'SET #n = #n + :one',
    ConditionExpression: 'attribute_exists(#k)',
    ExpressionAttributeNames: { '#n': 'visits', '#k': 'PK' },
    ExpressionAttributeValues: { ':one': { N: '1' } },
    ReturnValues: 'ALL_NEW',
  },
}

const transaction: WriteRequest = {
  operation: 'TransactWriteItems',
  input: {
    TransactItems: [
      { Put: { TableName: 'shop', Item: { PK: { S: 'A' }, SK: { N: '1' }, on: { BOOL: true } } } },
      {
        ConditionCheck: {
          TableName: 'shop',
          Key: { PK: { S: 'B' }, SK: { N: '2' } },
          ConditionExpression: 'attribute_exists(#k)',
          ExpressionAttributeNames: { '#k': 'PK' },
        },
      },
    ],
  },
}

const batch: WriteRequest = {
  operation: 'BatchWriteItem',
  input: {
    RequestItems: {
      shop: [
        { PutRequest: { Item: { PK: { S: 'A' }, SK: { N: '1' } } } },
        { DeleteRequest: { Key: { PK: { S: 'B' }, SK: { N: '2' } } } },
      ],
    },
  },
}

describe('code for writes', () => {
  test('Kotlin', () => {
    expect(generateCode('kotlin', [update], local)).toMatchInlineSnapshot(`
      "import aws.sdk.kotlin.runtime.auth.credentials.StaticCredentialsProvider
      import aws.sdk.kotlin.services.dynamodb.DynamoDbClient
      import aws.sdk.kotlin.services.dynamodb.model.*
      import aws.smithy.kotlin.runtime.auth.awscredentials.Credentials
      import aws.smithy.kotlin.runtime.net.url.Url

      suspend fun main() {
          DynamoDbClient {
              region = "us-east-1"
              endpointUrl = Url.parse("http://localhost:8000")
              credentialsProvider = StaticCredentialsProvider(Credentials("local", "local"))
          }.use { client ->
              val response = client.updateItem(UpdateItemRequest {
                  tableName = "shop"
                  key = mapOf("PK" to AttributeValue.S("A"), "SK" to AttributeValue.N("1"))
                  updateExpression = "SET #n = #n + :one"
                  conditionExpression = "attribute_exists(#k)"
                  expressionAttributeNames = mapOf("#n" to "visits", "#k" to "PK")
                  expressionAttributeValues = mapOf(":one" to AttributeValue.N("1"))
                  returnValues = ReturnValue.fromValue("ALL_NEW")
              })
              println(response.attributes)
          }
      }
      "
    `)
  })
  test('Rust', () => {
    expect(generateCode('rust', [transaction], local)).toMatchInlineSnapshot(`
      "use aws_sdk_dynamodb::config::Credentials;
      use aws_sdk_dynamodb::types::{AttributeValue, ConditionCheck, Put, TransactWriteItem};
      use aws_sdk_dynamodb::Client;

      #[tokio::main]
      async fn main() -> Result<(), Box<dyn std::error::Error>> {
          let config = aws_config::defaults(aws_config::BehaviorVersion::latest())
              .region(aws_config::Region::new("us-east-1"))
              .endpoint_url("http://localhost:8000")
              .credentials_provider(Credentials::new(
                  "local",
                  "local",
                  None,
                  None,
                  "local",
              ))
              .load()
              .await;
          let client = Client::new(&config);
          client
              .transact_write_items()
              .transact_items(TransactWriteItem::builder()
                  .put(Put::builder()
                      .table_name("shop")
                      .item("PK", AttributeValue::S("A".into()))
                      .item("SK", AttributeValue::N("1".into()))
                      .item("on", AttributeValue::Bool(true))
                      .build()?)
                  .build())
              .transact_items(TransactWriteItem::builder()
                  .condition_check(ConditionCheck::builder()
                      .table_name("shop")
                      .key("PK", AttributeValue::S("B".into()))
                      .key("SK", AttributeValue::N("2".into()))
                      .condition_expression("attribute_exists(#k)")
                      .expression_attribute_names("#k", "PK")
                      .build()?)
                  .build())
              .send()
              .await?;
          Ok(())
      }
      "
    `)
  })
  test('C#', () => {
    expect(generateCode('csharp', [update], local)).toMatchInlineSnapshot(`
      "using Amazon.DynamoDBv2;
      using Amazon.DynamoDBv2.DocumentModel;
      using Amazon.DynamoDBv2.Model;
      using Amazon.Runtime;

      using var client = new AmazonDynamoDBClient(
          new BasicAWSCredentials("local", "local"),
          new AmazonDynamoDBConfig
          {
              ServiceURL = "http://localhost:8000",
              AuthenticationRegion = "us-east-1",
          }
      );

      var request = new UpdateItemRequest
      {
          TableName = "shop",
          Key = new Dictionary<string, AttributeValue>
          {
              ["PK"] = new AttributeValue { S = "A" },
              ["SK"] = new AttributeValue { N = "1" },
          },
          UpdateExpression = "SET #n = #n + :one",
          ConditionExpression = "attribute_exists(#k)",
          ExpressionAttributeNames = new Dictionary<string, string>
          {
              ["#n"] = "visits",
              ["#k"] = "PK",
          },
          ExpressionAttributeValues = new Dictionary<string, AttributeValue>
          {
              [":one"] = new AttributeValue { N = "1" },
          },
          ReturnValues = new ReturnValue("ALL_NEW"),
      };
      var item = (await client.UpdateItemAsync(request)).Attributes;
      Console.WriteLine(Document.FromAttributeMap(item).ToJson());
      "
    `)
  })
  test('PHP', () => {
    expect(generateCode('php', [transaction], local)).toMatchInlineSnapshot(`
      "<?php

      require 'vendor/autoload.php';

      use Aws\\DynamoDb\\DynamoDbClient;

      $client = new DynamoDbClient([
          'region' => 'us-east-1',
          'endpoint' => 'http://localhost:8000',
          'credentials' => ['key' => 'local', 'secret' => 'local'],
      ]);

      $client->transactWriteItems([
          'TransactItems' => [
              [
                  'Put' => [
                      'TableName' => 'shop',
                      'Item' => ['PK' => ['S' => 'A'], 'SK' => ['N' => '1'], 'on' => ['BOOL' => true]],
                  ],
              ],
              [
                  'ConditionCheck' => [
                      'TableName' => 'shop',
                      'Key' => ['PK' => ['S' => 'B'], 'SK' => ['N' => '2']],
                      'ConditionExpression' => 'attribute_exists(#k)',
                      'ExpressionAttributeNames' => ['#k' => 'PK'],
                  ],
              ],
          ],
      ]);
      "
    `)
  })
  test('Ruby', () => {
    expect(generateCode('ruby', [batch], local)).toMatchInlineSnapshot(`
      "require 'aws-sdk-dynamodb'

      client = Aws::DynamoDB::Client.new(
        region: 'us-east-1',
        endpoint: 'http://localhost:8000',
        access_key_id: 'local',
        secret_access_key: 'local',
      )

      response = client.batch_write_item(
        request_items: {
          'shop' => [
            { put_request: { item: { 'PK' => 'A', 'SK' => 1 } } },
            { delete_request: { key: { 'PK' => 'B', 'SK' => 2 } } },
          ],
        },
      )
      # What is left must be sent again.
      p response.unprocessed_items
      "
    `)
  })
  test('Java', () => {
    expect(generateCode('java', [transaction], aws)).toMatchInlineSnapshot(`
      "import java.util.List;
      import java.util.Map;
      import software.amazon.awssdk.regions.Region;
      import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
      import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
      import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
      import software.amazon.awssdk.services.dynamodb.model.Put;
      import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
      import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

      public class Example {
          public static void main(String[] args) {
              try (DynamoDbClient client = DynamoDbClient.builder()
                      .region(Region.of("eu-west-1"))
                      .build()) {
                  TransactWriteItemsRequest request = TransactWriteItemsRequest.builder()
                          .transactItems(List.of(
                                  TransactWriteItem.builder()
                                          .put(Put.builder()
                                                  .tableName("shop")
                                                  .item(Map.of(
                                                          "PK", AttributeValue.fromS("A"),
                                                          "SK", AttributeValue.fromN("1"),
                                                          "on", AttributeValue.fromBool(true)))
                                                  .build())
                                          .build(),
                                  TransactWriteItem.builder()
                                          .conditionCheck(ConditionCheck.builder()
                                                  .tableName("shop")
                                                  .key(Map.of("PK", AttributeValue.fromS("B"), "SK", AttributeValue.fromN("2")))
                                                  .conditionExpression("attribute_exists(#k)")
                                                  .expressionAttributeNames(Map.of("#k", "PK"))
                                                  .build())
                                          .build()))
                          .build();
                  client.transactWriteItems(request);
              }
          }
      }
      "
    `)
  })
  test('Go', () => {
    expect(generateCode('go', [batch], aws)).toMatchInlineSnapshot(`
      "package main

      import (
      	"context"
      	"fmt"
      	"log"

      	"github.com/aws/aws-sdk-go-v2/config"
      	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
      	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
      )

      func main() {
      	ctx := context.Background()
      	cfg, err := config.LoadDefaultConfig(ctx, config.WithRegion("eu-west-1"))
      	if err != nil {
      		log.Fatal(err)
      	}
      	client := dynamodb.NewFromConfig(cfg)

      	input := &dynamodb.BatchWriteItemInput{
      		RequestItems: map[string][]types.WriteRequest{
      			"shop": {
      				{
      					PutRequest: &types.PutRequest{
      						Item: map[string]types.AttributeValue{
      							"PK": &types.AttributeValueMemberS{Value: "A"},
      							"SK": &types.AttributeValueMemberN{Value: "1"},
      						},
      					},
      				},
      				{
      					DeleteRequest: &types.DeleteRequest{
      						Key: map[string]types.AttributeValue{
      							"PK": &types.AttributeValueMemberS{Value: "B"},
      							"SK": &types.AttributeValueMemberN{Value: "2"},
      						},
      					},
      				},
      			},
      		},
      	}
      	output, err := client.BatchWriteItem(ctx, input)
      	if err != nil {
      		log.Fatal(err)
      	}
      	// What is left must be sent again.
      	fmt.Println(output.UnprocessedItems)
      }
      "
    `)
  })

  test('in every language names what is written, and what is to be sent again', () => {
    for (const { id } of codeLanguages) {
      for (const request of [update, transaction, batch]) {
        const code = generateCode(id, [request], local)
        expect([id, code]).toEqual([id, expect.stringContaining('shop') as string])
        expect(code).not.toMatch(/: undefined|\[object/)
      }
      expect(generateCode(id, [batch], aws)).toMatch(
        id === 'cli' || id === 'curl' ? /RequestItems|request-items/ : /nprocessed/,
      )
    }
  })

  test('credentials of a closed server come from where the code runs', () => {
    for (const { id } of codeLanguages) {
      const code = generateCode(id, [update], { ...local, credentials: 'environment' })
      expect([id, code]).toEqual([id, expect.stringContaining('http://localhost:8000') as string])
      expect([id, code]).toEqual([id, expect.not.stringMatching(/["':]local["']|=local\b|:local\b/) as string])
    }
  })
})

describe('strings', () => {
  const hostile = 'it\'s "q" \\ $HOME ${x} #{y} \\u0041\n\t\0 \u202e \u{1f600}'
  test('are escaped as each language does', () => {
    const get = { operation: 'DeleteItem', input: { TableName: 't', Key: { k: { S: hostile } } } } as const
    expect(generateCode('kotlin', [get], aws)).toContain(String.raw`\"q\" \\ \$HOME \${x}`)
    expect(generateCode('rust', [get], aws)).toContain(
      String.raw`"it's \"q\" \\ $HOME ${'${x}'} #{y} \\u0041\n\t\u{0} \u{202e}`,
    )
    expect(generateCode('php', [get], aws)).toContain(
      String.raw`"it's \"q\" \\ \$HOME \${x} #{y} \\u0041\n\t\u{0} \u{202e}`,
    )
    expect(generateCode('ruby', [get], aws)).toContain(
      String.raw`"it's \"q\" \\ $HOME ${'${x}'} \#{y} \\u0041\n\t\u{0} \u{202e}`,
    )
    expect(generateCode('csharp', [get], aws)).toContain(String.raw`\\u0041\n\t\u0000 \u202e`)
    for (const { id } of codeLanguages)
      expect(generateCode(id, [get], aws)).not.toContain('\u202e'.repeat(id === 'cli' || id === 'curl' ? 2 : 1))
  })
})
