terraform {
  required_providers { aws = { source = "hashicorp/aws", version = "5.100.0" } }
}
variable "endpoint" { type = string }
provider "aws" {
  region                      = "us-east-1"
  access_key                  = "AKIDEXAMPLE"
  secret_key                  = "secret"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
  endpoints {
    dynamodb = var.endpoint
    kinesis  = var.endpoint
    lambda   = var.endpoint
    iam      = var.endpoint
    sts      = var.endpoint
    pipes    = var.endpoint
  }
}
resource "aws_dynamodb_table" "orders" {
  name             = "Orders"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "pk"
  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"
  attribute {
    name = "pk"
    type = "S"
  }
}
resource "aws_kinesis_stream" "clicks" {
  name             = "clicks"
  shard_count      = 2
  retention_period = 48
}
resource "aws_dynamodb_kinesis_streaming_destination" "changes" {
  table_name = aws_dynamodb_table.orders.name
  stream_arn = aws_kinesis_stream.clicks.arn
}
resource "aws_iam_role" "runner" {
  name               = "runner"
  assume_role_policy = jsonencode({ Version = "2012-10-17", Statement = [{ Effect = "Allow", Principal = { Service = "lambda.amazonaws.com" }, Action = "sts:AssumeRole" }] })
}
resource "aws_lambda_function" "on_order" {
  function_name    = "on-order"
  role             = aws_iam_role.runner.arn
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = "on-order.zip"
  source_code_hash = filebase64sha256("on-order.zip")
  environment { variables = { STAGE = "local" } }
}
resource "aws_lambda_event_source_mapping" "orders" {
  event_source_arn                   = aws_dynamodb_table.orders.stream_arn
  function_name                      = aws_lambda_function.on_order.arn
  starting_position                  = "TRIM_HORIZON"
  batch_size                         = 10
  maximum_retry_attempts             = 3
  bisect_batch_on_function_error     = true
  function_response_types            = ["ReportBatchItemFailures"]
  filter_criteria {
    filter { pattern = jsonencode({ eventName = ["INSERT"] }) }
  }
}
resource "aws_lambda_event_source_mapping" "clicks" {
  event_source_arn  = aws_kinesis_stream.clicks.arn
  function_name     = aws_lambda_function.on_order.function_name
  starting_position = "TRIM_HORIZON"
}
