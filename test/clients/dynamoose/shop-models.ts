import dynamoose from 'dynamoose'

/** The shop as models of Dynamoose that share a table. */
export function shopModels() {
  const { CONSTANT } = dynamoose.type
  const key = { PK: { type: String, hashKey: true }, SK: { type: String, rangeKey: true } }
  const GSI1PK = { type: String, index: { name: 'GSI1', rangeKey: 'GSI1SK', project: true } }

  const User = dynamoose.model('User', {
    ...key,
    EntityType: { type: CONSTANT('User') },
    userId: String,
    email: String,
    name: String,
    createdAt: String,
    GSI1PK,
    GSI1SK: String,
  })

  const Order = dynamoose.model('Order', {
    ...key,
    EntityType: { type: CONSTANT('Order') },
    orderId: String,
    userId: String,
    status: { type: String, enum: ['open', 'shipped', 'delivered'] },
    total: Number,
    createdAt: String,
    version: { type: Number, default: 0 },
    GSI1PK,
    GSI1SK: String,
    GSI2PK: {
      type: String,
      index: {
        name: 'GSI2',
        rangeKey: 'GSI2SK',
        project: ['EntityType', 'status', 'userId', 'total', 'createdAt'],
      },
    },
    GSI2SK: String,
    GSI4PK: { type: String, index: { name: 'GSI4', rangeKey: 'GSI4SK', project: false } },
    GSI4SK: String,
  })

  const OrderItem = dynamoose.model('OrderItem', {
    ...key,
    EntityType: { type: CONSTANT('OrderItem') },
    orderId: String,
    productId: String,
    quantity: Number,
    unitPrice: Number,
    GSI1PK,
    GSI1SK: String,
  })

  const Product = dynamoose.model('Product', {
    ...key,
    EntityType: { type: CONSTANT('Product') },
    productId: String,
    name: String,
    category: String,
    price: Number,
    stock: Number,
    imageUrl: String,
    GSI3PK: {
      type: String,
      index: { name: 'GSI3', rangeKey: 'GSI3SK', project: ['EntityType', 'name', 'price', 'imageUrl'] },
    },
    GSI3SK: String,
  })

  const Session = dynamoose.model('Session', {
    ...key,
    EntityType: { type: CONSTANT('Session') },
    sessionId: String,
    userId: String,
    expiresAt: Number,
  })

  /** Reads items of every kind. */
  const Anything = dynamoose.model(
    'Anything',
    new dynamoose.Schema({ ...key, GSI1PK, GSI1SK: String }, { saveUnknown: true }),
  )

  return { User, Order, OrderItem, Product, Session, Anything }
}
