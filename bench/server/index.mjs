// The rows of issue 6's table "Speed", in its order.
export const serverMeasures = []
