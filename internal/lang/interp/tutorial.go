package interp

import (
	"math"

	"girih/cute"
	"girih/dtype"
)

// This file has the function of CUTLASS's examples/cute/tutorial/blackwell/example_utils.hpp that the tutorials call
// before they launch their kernels.

func init() { memoryRows["initialize_tensor"] = initializeTensor }

// initializeTensor implements initialize_tensor(t, {least, most}), which sets the elements, in the order of their
// indices, to random integers: the numbers of rand(), scaled to the range and rounded to 0.
func initializeTensor(r *runner, c *arguments, _ dtype.Type) (Value, error) {
	t, err := c.storage(0)
	if err != nil {
		return nil, err
	}
	least, most := int64(-2), int64(2)
	if len(c.pos) == 2 {
		pair, ok := c.pos[1].(Tuple)
		if !ok || len(pair) != 2 {
			return nil, errorf(cute.CodeType, "expected the least and the greatest number, found %s", r.describe(c.pos[1]))
		}
		var oks [2]bool
		least, oks[0] = integerOf(pair[0])
		most, oks[1] = integerOf(pair[1])
		if oks != [2]bool{true, true} {
			return nil, errorf(cute.CodeType, "expected the least and the greatest number, found %s", r.describe(c.pos[1]))
		}
	}
	return None{}, r.elementwise(nil, t, func([]Value) (Value, error) {
		x := float64(most-least)*(float64(r.cpp.random.next())/math.MaxInt32) + float64(least)
		return cInt(uint64(int64(x)), CIntType), nil
	})
}
