package eval

import (
	"fmt"

	"girih/cute"
)

// This file defines CuTe's functions whose names end in the letter of an operand: thrfrg_A(m, L) is thrfrg(m, A, L).

const (
	exampleMMA  = `tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1))`
	exampleCopy = `tiled_copy(copy_atom("UniversalCopy<float>", "float"), (4,8), (2,1))`
)

// operandRows returns CuTe's functions with the letter of an operand in their names.
func operandRows() []Builtin {
	return []Builtin{
		thrfrgRow("thrfrg_A", 'A', exampleMMA+", (32,16)", "(((4,8),(2,1)),((2,2,2),(1,1))):(((64,1),(16,0)),((32,8,256),(0,0)))"),
		thrfrgRow("thrfrg_B", 'B', exampleMMA+", (16,16)", "(((4,8),(2,1)),((2,2),(1,1))):(((32,1),(8,0)),((16,128),(0,0)))"),
		thrfrgRow("thrfrg_C", 'C', exampleMMA+", (32,16)", "(((4,8),(2,2)),((2,2),(1,1))):(((64,1),(16,256)),((32,8),(0,0)))"),
		thrfrgRow("tidfrg_S", 'S', exampleCopy+", (8,16)", "(32,(1,2),(1,2)):(2,(0,1),(0,64))"),
		thrfrgRow("tidfrg_D", 'D', exampleCopy+", (8,16)", "(32,(1,2),(1,2)):(2,(0,1),(0,64))"),
		partitionShapeRow('A', exampleMMA+", (128,64)", "((2,2,2),4,4)"),
		partitionShapeRow('B', exampleMMA+", (128,64)", "((2,2),8,4)"),
		partitionShapeRow('C', exampleMMA+", (128,64)", "((2,2),4,4)"),
	}
}

//go:noinline
func thrfrgRow(name string, operand byte, args, output string) Builtin {
	of := "tiled MMA, ((ThrV,(ThrX,ThrY)),(FrgV,(RestX,RestY)))"
	if _, ok := operands[operand]; !ok {
		of = "tiled copy, (Thr,(Frg...),(Rest...))"
	}
	return Builtin{
		Name: name, Params: "x, layout",
		Doc: fmt.Sprintf("Returns a tensor arranged by threads, as operand %c of a %s: thrfrg(x, %c, layout).",
			operand, of, operand),
		Example: name + "(" + args + ")", Output: output,
		known: func(c *call) (Value, error) {
			return c.thrfrgOf(operand, 1)
		},
	}
}

//go:noinline
func partitionShapeRow(operand byte, args, output string) Builtin {
	name := "partition_shape_" + string(operand)
	return Builtin{
		Name: name, Params: "m, shape",
		Doc: fmt.Sprintf("Returns the shape of each thread's part of a tensor of that shape as operand %c: "+
			"partition_shape(m, %c, shape).", operand, operand),
		Example: name + "(" + args + ")", Output: output,
		known: func(c *call) (Value, error) {
			s, err := c.shape(1)
			if err != nil {
				return nil, err
			}
			return c.partitionShapeOf(operand, s)
		},
	}
}

func (c *call) partitionShapeOf(operand byte, shape cute.Tuple) (Value, error) {
	m, ok := c.args[0].(TiledMMA)
	if !ok {
		return nil, c.bad(0, "a tiled MMA")
	}
	return tupleOf(m.PartitionShape(operands[operand], shape))
}
