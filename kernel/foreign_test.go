package kernel_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A belonging has a thing of each type that belongs to one kernel.
type belonging map[reflect.Type]reflect.Value

// belongings makes the things of a kernel.
func belongings(k *kernel.K) belonging {
	out := belonging{}
	for _, x := range belongingsOf(k) {
		out[reflect.TypeOf(x)] = reflect.ValueOf(x)
	}
	return out
}

func belongingsOf(k *kernel.K) []any {
	k.Cluster(2, 1, 1)
	n := k.Int("n", extent(64))
	g := k.TmaTensor("G", dtype.F16, kernel.Modes(n, n))
	s := k.Shared("s", dtype.F16, cute.MustParse("(8,8):(1,8)"))
	bars := k.Barriers("bars", 2)
	pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 2, Bytes: 128, Consumers: 32})
	mma := tinyMMA()
	cp := kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom("UniversalCopy<uint16_t>", "half_t")),
		cute.MustParse("(4,8):(1,4)"), cute.MustParse("1:0")))
	lane, half := k.ThreadIdx().Mod(32), k.Number(dtype.F16, 1)
	return []any{
		k, k.Number(dtype.F32, 1), k.PairOf(half, half), lane, lane.Less(n), s, k.ThrMMA(mma, lane), k.ThrCopy(cp, lane),
		k.AtomicRef(kernel.ScopeBlock, s, lane.Mod(8), kernel.Int(0)),
		k.MakeTmaAtom(g, s, kernel.Shape(8, 8), 1), bars, bars.At(kernel.Int(0)), pipe, pipe.ConsumerState(kernel.Int(0)),
		k.PipelineTmaStore("stores", 2),
		k.OrderedSequenceBarrier("order", kernel.OrderedSequenceParams{Depth: 1, Length: 2, Group: 32}),
	}
}

func tinyMMA() atom.TiledMMA {
	op := kernel.Must(atom.FindMMA("SM80_16x8x8_F32F16F16F32_TN"))
	return kernel.Must(atom.MakeTiledMMA(op, cute.MustParse("1:0"), nil))
}

// plain returns an argument of a type that belongs to no kernel.
func plain(t reflect.Type) reflect.Value {
	for _, x := range []any{
		dtype.F32, cute.MustParse("8:1"),
		symbolic.Facts{Min: 1, Max: 64, Div: 1},
		kernel.Shape(8, 8), int64(1), 0, 1.0, "name",
		tinyMMA(), kernel.ScopeBlock, kernel.Relaxed, kernel.EvictFirst,
	} {
		if reflect.TypeOf(x) == t {
			return reflect.ValueOf(x)
		}
	}
	if t.Kind() == reflect.Func {
		return reflect.MakeFunc(t, func(in []reflect.Value) (out []reflect.Value) {
			for i := range t.NumOut() {
				if out = append(out, reflect.Zero(t.Out(i))); len(in) > 0 && in[0].Type() == t.Out(i) {
					out[i] = in[0]
				}
			}
			return out
		})
	}
	return reflect.Zero(t)
}

// harmless are the methods that do nothing in the kernel being traced: they return text, or another thing of the same
// kernel that use does not use.
var harmless = map[string]bool{
	"Index.Int64": true, "Index.Range": true,
	"Index.String": true, "Cond.String": true, "Cond.Always": true, "Tensor.Elem": true,
	"Tensor.Space": true, "Tensor.Rank": true, "Tensor.Extent": true, "Tensor.String": true, "Value.Type": true,
	"Pair.Type":     true,
	"TmaAtom.Bytes": true, "TmaAtom.With": true, "TmaAtom.WithMask": true, "TmaAtom.Add": true,
	"PipelineTmaAsync.ConsumerState": true, "PipelineTmaAsync.ProducerState": true, "PipelineTmaStore.ProducerState": true,
	"PipelineState.Index": true, "PipelineState.Phase": true,
	"K.Barriers": true, "K.BlockIdx": true, "K.BlockRankInCluster": true, "K.Cluster": true, "K.Global": true,
	"K.Grid":          true,
	"K.GlobalAligned": true, "K.GlobalLayout": true, "K.Int": true, "K.Int64": true, "K.MakeFragment": true,
	"K.MinBlocksPerMultiprocessor": true, "K.Scalar": true, "K.Shared": true, "K.ThreadIdx": true, "K.TmaTensor": true,
	"K.WarpIdx": true, "K.WarpgroupIdx": true, "K.WarpgroupThreadIdx": true, "K.ThrCopy": true, "K.ThrMMA": true,
}

// use uses what a method returns in the kernel being traced.
func use(k *kernel.K, results []reflect.Value) {
	for _, r := range results {
		switch x := r.Interface().(type) {
		case kernel.Value:
			k.Select(kernel.Cond{}, x, x)
		case kernel.Pair:
			x.Add(k.PairOf(k.Number(dtype.F16, 1), k.Number(dtype.F16, 1)))
		case kernel.Index:
			k.ThreadIdx().Add(x)
		case kernel.Cond:
			k.If(x, func() {})
		}
	}
}

// TestForeign calls each method with each receiver and argument replaced by a thing of another kernel, and by the zero
// value, and expects an error of the trace.
func TestForeign(t *testing.T) {
	t.Parallel()
	var other belonging
	if _, err := kernel.Trace("other", 64, func(k *kernel.K) { other = belongings(k) }); err != nil {
		t.Fatal(err)
	}
	total, named := 0, 0
	for typ := range other {
		for i := range typ.NumMethod() {
			m := typ.Method(i)
			name := strings.TrimPrefix(typ.String(), "*")
			name = strings.TrimPrefix(name, "kernel.") + "." + m.Name
			for arg := range m.Type.NumIn() {
				of := m.Type.In(arg)
				list := of.Kind() == reflect.Slice && other[of.Elem()].IsValid()
				if !other[of].IsValid() && !list || harmless[name] && (arg == 0 || typ != reflect.TypeFor[*kernel.K]()) {
					continue
				}
				for _, zero := range []bool{false, true} {
					if of == reflect.TypeFor[*kernel.K]() && zero {
						continue // a nil K is none of this package
					}
					err, ok := callWith(m, other, arg, zero)
					total++
					if err == nil {
						if !ok {
							t.Errorf("%s: argument %d, zero %v: no error", name, arg, zero)
						}
						continue
					}
					if e, ok := errors.AsType[*kernel.Error](err); !ok || e.Err.Code == "" || e.Err.Msg == "" {
						t.Errorf("%s: argument %d: found %v", name, arg, err)
					}
					for _, text := range []string{"another kernel", " is none", "is over"} {
						if strings.Contains(err.Error(), text) {
							named++
						}
					}
				}
			}
		}
	}
	if named < total*3/4 {
		t.Errorf("%d of %d errors name the cause", named, total)
	}
}

// callWith calls a method in a trace, with one argument of another kernel or zero. The call is fine without an error if
// a zero is an ordinary argument there.
func callWith(m reflect.Method, other belonging, arg int, zero bool) (err error, fine bool) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	_, err = kernel.Trace("k", 64, func(k *kernel.K) {
		own := belongings(k)
		var in []reflect.Value
		for i := range m.Type.NumIn() {
			of := m.Type.In(i)
			from := own
			if i == arg && !zero {
				from = other
			}
			x := from[of]
			switch {
			case i == arg && zero:
				x = reflect.Zero(of)
			case x.IsValid():
			case of.Kind() == reflect.Slice && own[of.Elem()].IsValid():
				x = reflect.Append(reflect.Zero(of), from[of.Elem()])
			default:
				x = plain(of)
			}
			in = append(in, x)
		}
		of := m.Type.In(arg)
		fine = zero && (of == reflect.TypeFor[kernel.Index]() || of == reflect.TypeFor[kernel.Cond]() ||
			of.Kind() == reflect.Slice)
		if m.Type.IsVariadic() {
			use(k, m.Func.CallSlice(in))
		} else {
			use(k, m.Func.Call(in))
		}
	})
	return err, fine
}
