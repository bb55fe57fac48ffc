package eval

import (
	"fmt"

	"girih/cute"
)

// This file has one thread of a tiled MMA or a tiled copy as a value, CuTe's ThrMMA and ThrCopy, and its parts of
// tensors.

// The kinds of a [ThrSlice].
const (
	KindThrMMA  Kind = "thr_mma"
	KindThrCopy Kind = "thr_copy"
)

// A ThrSlice is one thread of a [TiledMMA] or a [TiledCopy].
type ThrSlice struct {
	of     Value
	thread int64
}

func (ThrSlice) value() {}

// Kind returns [KindThrMMA] or [KindThrCopy].
func (s ThrSlice) Kind() Kind {
	if s.of.Kind() == KindTiledMMA {
		return KindThrMMA
	}
	return KindThrCopy
}

// String returns get_slice(TILED,THREAD).
func (s ThrSlice) String() string { return fmt.Sprintf("get_slice(%v,%d)", s.of, s.thread) }

const (
	sliceMMA  = `get_slice(tiled_mma("SM80_16x8x16_F32F16F16F32_TN", (2,2,1)), 33)`
	sliceCopy = `get_slice(tiled_copy(copy_atom("UniversalCopy<uint128_t>", "half_t"), (32,8):(8,1), (1,8)), 9)`
)

// sliceRows returns the built-ins that take one thread of a tiled MMA or copy, and its parts of tensors.
func sliceRows() []Builtin {
	return []Builtin{
		{
			Name: "get_slice", Params: "x, thread", Aliases: []string{"get_thread_slice"},
			Doc: "Returns one thread of a tiled MMA or a tiled copy: CuTe's ThrMMA or ThrCopy. partition_A and its " +
				"relatives return its part of a tensor.",
			Example: "partition_C(" + sliceMMA + ", (32,16):(16,1))", Output: "{((2,2),1,1):((1,128),0,0),258}",
			known: (*call).getSlice,
		},
		partitionRow('A', sliceMMA+", (32,16):(16,1))", "{((2,2,2),1,1):((1,128,8),0,0),258}"),
		partitionRow('B', sliceMMA+", (16,16):(16,1))", "{((2,2),1,1):((1,8),0,0),2}"),
		partitionRow('C', sliceMMA+", (32,16):(16,1))", "{((2,2),1,1):((1,128),0,0),258}"),
		partitionRow('S', sliceCopy+", (128,64):(64,1))", "{((8,1),4,1):((1,0),2048,0),72}"),
		partitionRow('D', sliceCopy+", (128,64):(64,1))", "{((8,1),4,1):((1,0),2048,0),72}"),
	}
}

//go:noinline
func partitionRow(operand byte, args, output string) Builtin {
	name := "partition_" + string(operand)
	return Builtin{
		Name: name, Params: "thr, T",
		Doc: fmt.Sprintf("Returns one thread's part of a tensor as operand %c. For make_tensor(...) it is a tensor. For a layout it is a layout "+
			"and the offset where it begins: partition(x, %c, layout, thread) for get_slice(x, thread).", operand, operand),
		Example: name + "(" + args, Output: output,
		known: func(c *call) (Value, error) {
			s, ok := c.args[0].(ThrSlice)
			if !ok {
				return nil, c.bad(0, "one thread of a tiled MMA or a tiled copy, get_slice(x, thread)")
			}
			if t, ok := c.args[1].(Tensor); ok {
				return partTensor(s, operand, t)
			}
			own, err := partitionerOf(s.of, operand, s.thread)
			if err != nil {
				return nil, err
			}
			return c.partitionBy(own, 1)
		},
	}
}

func (c *call) getSlice() (Value, error) {
	thread, err := c.integer(1)
	if err != nil {
		return nil, err
	}
	switch x := c.args[0].(type) {
	case TiledMMA:
		_, err = x.Thread(thread)
	case TiledCopy:
		_, err = x.Thread(thread)
	default:
		return nil, c.bad(0, "a tiled copy or a tiled MMA")
	}
	if err != nil {
		return nil, err
	}
	return ThrSlice{c.args[0], thread}, nil
}

// A partitioner is one thread with one operand.
type partitioner struct {
	of       func(cute.Layout) (cute.Layout, cute.Tuple, error)
	composed func(cute.Composed) (cute.Composed, error)
}

// partitionerOf returns the thread of a tiled MMA or a tiled copy, and refuses an operand that it does not have.
func partitionerOf(x Value, operand byte, thread int64) (partitioner, error) {
	switch x := x.(type) {
	case TiledMMA:
		o, ok := operands[operand]
		if !ok {
			break
		}
		own, err := x.Thread(thread)
		return partitioner{
			func(l cute.Layout) (cute.Layout, cute.Tuple, error) { return own.Partition(o, l) },
			func(l cute.Composed) (cute.Composed, error) { return own.PartitionComposed(o, l) },
		}, err
	case TiledCopy:
		own, err := x.Thread(thread)
		switch operand {
		case 'S':
			return partitioner{own.PartitionS, own.PartitionSComposed}, err
		case 'D':
			return partitioner{own.PartitionD, own.PartitionDComposed}, err
		}
	}
	return partitioner{}, &cute.Error{
		Code: cute.CodeType,
		Msg:  fmt.Sprintf("%s has no operand %c: %v", article(x.Kind()), operand, x),
	}
}

// partitionBy returns the thread's part of argument i, a layout or a composed layout.
func (c *call) partitionBy(own partitioner, i int) (Value, error) {
	if l, ok := c.args[i].(Composed); ok {
		p, err := own.composed(l.Composed)
		return Composed{p}, err
	}
	l, err := c.layout(i)
	if err != nil {
		return nil, err
	}
	p, offset, err := own.of(l)
	if err != nil {
		return nil, err
	}
	return List{Layout{p}, Tuple{offset}}, nil
}

// Of returns the tiled MMA or the tiled copy, and the number of the thread.
func (s ThrSlice) Of() (of Value, thread int64) { return s.of, s.thread }
