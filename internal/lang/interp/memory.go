package interp

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/tensor"
)

// The files memory_*.go give tensors of programs their storage. A tensor with storage consists of a memory and of a
// value of the algebra, whose elements are places in the memory. An operation of the algebra that makes a tensor from
// another tensor, such as local_tile or partition_A, therefore works on the places only, and the result gets the memory
// of its operand (see solve).
//
//	float A[8];                                        // a memory of 8 elements
//	Tensor t = make_tensor(&A[0], make_layout(Shape<_4,_2>{}));
//	Tensor u = t(_, 1);                                // the places 4 to 7 of it
//	u(2) = 3.0f;                                       // A[6]
//
// The algorithms in memory_algorithms.go and memory_gemm.go work on the codes in a memory, using packages tensor and
// tensor/tiled.

// A memory is the storage of tensors. It records which of its bytes were written.
type memory struct {
	data    []byte
	written []bool
	// size is the number of bytes that exist. data may be longer, so that tiles can extend beyond the end of a tensor;
	// elements there are never read or written.
	size  int
	space atom.Space
	// array contains the elements if the memory is an array of C++. data is then a copy of the elements that an
	// operation uses.
	array   *Array
	races   *races // records which threads used which byte since the last barrier
	private bool   // only one thread can access the memory
	null    bool   // there is no memory, because the pointer is null
}

// beyondNull is the maximum number of elements of a tensor with a null pointer.
const beyondNull = 1 << 40

// nullAddress returns the null pointer to elements of a type. Tensors with this pointer have a layout, but no elements
// to read.
func nullAddress(t dtype.Type) Address {
	return Address{&window{memory: &memory{null: true, space: atom.Anywhere, races: &races{}}, typ: t}, 0}
}

// errNull returns the error for using an element of a tensor with a null pointer.
func errNull() error {
	e := errorf(cute.CodeUnknown, "the tensor has no storage: its pointer is null, so only its layout is known")
	e.hint = "make the tensor of an array"
	return e
}

// A window is the view of a memory as elements of a type, which a tensor or a pointer has.
type window struct {
	*memory
	typ dtype.Type
	// host is true for an array of PyTorch or NumPy, which follows their rules of indexing. numpy is true for arrays of
	// NumPy.
	host, numpy bool
	// align is the alignment, in bytes, that from_dlpack states for a tensor; otherwise 0.
	align int64
}

// elements returns the number of elements in the memory.
func (w *window) elements() int64 {
	if w.null {
		return beyondNull
	}
	return int64(w.size) * 8 / int64(w.typ.Bits())
}

// positions returns the number of positions that tensors on the memory may use.
func (w *window) positions() int64 {
	if w.null {
		return beyondNull
	}
	return int64(len(w.data)) * 8 / int64(w.typ.Bits())
}

// holds returns an error if an element does not exist.
func (w *window) holds(place int64) error {
	if _, to := w.bytes(place); to <= int64(w.size) {
		return nil
	}
	e := errorf(cute.CodeCodomain, "is at position %d of a memory of %d elements", place, w.elements())
	e.hint = "a tile reaches beyond the tensor: use a predicate, as copy_if does"
	return e
}

// bytes returns the first byte of an element, and the byte after its last byte.
func (w *window) bytes(place int64) (from, to int64) {
	bits := int64(w.typ.Bits())
	return place * bits / 8, (place*bits+bits-1)/8 + 1
}

// maxBeyond limits the extra bytes after the end of a memory.
const maxBeyond = 4 << 20

// newMemory requests memory, and returns n elements without values.
func (r *runner) newMemory(typ dtype.Type, n int64) (*window, error) {
	bits := int64(typ.Bits())
	if bits == 0 || bits > 64 {
		return nil, errorf(cute.CodeType, "expected elements of 1 to 64 bits, found %v", typ)
	}
	const most = 1 << 31
	if n < 0 || n > most {
		return nil, errorf(cute.CodeLimit, "expected at most %d elements in a tensor, found %d", int64(most), n)
	}
	bytes := (n*bits + 7) / 8
	if err := r.hold(int(2 * bytes)); err != nil {
		return nil, err
	}
	beyond := int64(0)
	if r.kernel == nil {
		beyond = min(3*bytes+1<<14, maxBeyond)
	}
	m := &memory{
		data: make([]byte, bytes+beyond), written: make([]bool, bytes+beyond), size: int(bytes), space: atom.Anywhere,
		races: &races{},
	}
	return &window{memory: m, typ: typ}, nil
}

// in returns the window for the same memory in a memory space of the GPU.
func (w *window) in(s atom.Space) *window {
	m := *w.memory
	m.space = s
	return &window{memory: &m, typ: w.typ, host: w.host, numpy: w.numpy, align: w.align}
}

// tensorOn returns the tensor with a window and a layout that starts at an element.
func (r *runner) tensorOn(w *window, start int64, layout cute.Inner) (Algebra, error) {
	t, err := tensor.Places(w.positions(), start, layout)
	if err != nil {
		return Algebra{}, err
	}
	return r.viewOn(w, t), nil
}

// viewOn returns the tensor with a window and the given places.
func (r *runner) viewOn(w *window, places tensor.Tensor[cute.Tuple]) Algebra {
	v := eval.Tensor{Tensor: places}
	const name = " view"
	r.Env.Bind(name, v)
	bound, _ := r.Env.Take(name)
	return Algebra{Result: eval.Result{Value: v}, bound: bound, window: w}
}

// allocate returns a tensor with a new memory.
func (r *runner) allocate(typ dtype.Type, layout cute.Inner) (Algebra, error) {
	start, n, err := tensor.StorageOf(layout)
	if err != nil {
		return Algebra{}, err
	}
	w, err := r.newMemory(typ, n)
	if err != nil {
		return Algebra{}, err
	}
	w.private = r.kernel != nil
	return r.tensorOn(w, start, layout)
}

// A read contains the elements of a tensor that an operation uses: their places and their codes.
type read struct {
	tensor.Tensor[uint64]
	at []int64
}

// view returns a tensor whose elements are the places of a tensor with storage.
func (a Algebra) view() tensor.Tensor[cute.Tuple] { return a.Value.(eval.Tensor).Tensor }

// isTensor reports whether a value is a tensor with storage.
func (a Algebra) isTensor() bool {
	_, ok := a.Value.(eval.Tensor)
	return ok && a.window != nil
}

// codes returns the codes of a tensor with storage, even if they were not written.
func (r *runner) codes(a Algebra) (read, error) {
	if a.null {
		return read{}, errNull()
	}
	t := a.view()
	n := t.Size()
	if err := r.hold(int(8 * n)); err != nil {
		return read{}, err
	}
	if err := r.work(1 + int(n/elementsPerStep)); err != nil {
		return read{}, err
	}
	codes, err := tensor.PackedOver(t, a.typ, a.data)
	if err != nil {
		return read{}, err
	}
	return read{codes.In(a.space), tensor.AppendPlaces(make([]int64, 0, n), t)}, nil
}

// elementsPerStep is the number of tensor elements whose processing takes as long as one statement.
const elementsPerStep = 64

// loadTensor returns the codes of a tensor that is read. It returns an error if an element has no value.
func (r *runner) loadTensor(a Algebra) (read, error) {
	c, err := r.codes(a)
	if err != nil {
		return c, err
	}
	for i, p := range c.at {
		if p == tensor.NoPlace {
			continue
		}
		if err := r.reads(a, p); err != nil {
			return c, a.at(int64(i), err)
		}
	}
	return c, nil
}

// markWritten records that the elements of a tensor were written.
func (r *runner) markWritten(a Algebra, c read) error {
	for i, p := range c.at {
		if p == tensor.NoPlace {
			continue
		}
		if err := r.writes(a, p); err != nil {
			return a.at(int64(i), err)
		}
	}
	return nil
}

// at adds the coordinate of an element to an error.
func (a Algebra) at(index int64, err error) error {
	e, ok := err.(*statedError)
	if !ok {
		return err
	}
	shape := a.view().Shape()
	c, failed := cute.Idx2Crd(cute.Int(index), shape)
	if failed != nil {
		c = cute.Int(index)
	}
	e.msg = "the element at " + c.String() + " of a tensor " + shape.String() + " " + e.msg
	return e
}

// reads checks that an element may be read now: it has a value, and no other thread writes it at the same time.
func (r *runner) reads(a Algebra, place int64) error {
	if err := a.holds(place); err != nil {
		return err
	}
	if a.array != nil {
		if err := a.fetch(place); err != nil {
			return err
		}
	}
	from, to := a.bytes(place)
	for b := from; b < to; b++ {
		if !a.written[b] {
			e := errorf(cute.CodeUnknown, "is read before a value is written to it")
			e.hint = "clear or fill the tensor first, or copy to it"
			return e
		}
	}
	return r.race(a.window, place, reads)
}

// writes records that an element has been written. Its value is already in data.
func (r *runner) writes(a Algebra, place int64) error {
	if err := a.holds(place); err != nil {
		return err
	}
	from, to := a.bytes(place)
	for b := from; b < to; b++ {
		a.written[b] = true
	}
	if a.array != nil {
		if err := r.flush(a.window, place); err != nil {
			return err
		}
	}
	return r.race(a.window, place, writes)
}

// getElement returns the element at an index of a tensor.
func (r *runner) getElement(a Algebra, index int64) (Value, error) {
	if a.null {
		return nil, errNull()
	}
	t := a.view()
	place, err := placeAt(t, index)
	if err != nil {
		return nil, err
	}
	if err := r.reads(a, place); err != nil {
		return nil, a.at(index, err)
	}
	codes, err := tensor.PackedOver(t, a.typ, a.data)
	if err != nil {
		return nil, err
	}
	code, err := codes.At(index)
	if err != nil {
		return nil, err
	}
	return r.fromCode(a.window, code)
}

// setElement assigns to the element at an index of a tensor.
func (r *runner) setElement(a Algebra, index int64, v Value) error {
	if a.null {
		return errNull()
	}
	t := a.view()
	place, err := placeAt(t, index)
	if err != nil {
		return err
	}
	code, err := r.toCode(a.typ, v)
	if err != nil {
		return err
	}
	codes, err := tensor.PackedOver(t, a.typ, a.data)
	if err != nil {
		return err
	}
	if err := codes.Set(code, index); err != nil {
		return err
	}
	if err := r.writes(a, place); err != nil {
		return a.at(index, err)
	}
	return nil
}

func placeAt(t tensor.Tensor[cute.Tuple], index int64) (int64, error) {
	x, err := t.At(index)
	if err != nil {
		return 0, err
	}
	place, _ := x.Int64()
	return place, nil
}

// indexOf returns the index of a coordinate of a tensor; ok is false if the coordinate contains a _.
func (r *runner) indexOf(a Algebra, args []Value, at program.Node) (index int64, ok bool, err error) {
	if len(args) == 1 {
		if n, isInt := integerOf(args[0]); isInt {
			_, err := a.view().At(n)
			return n, true, err
		}
		if t, isTuple := args[0].(Tuple); isTuple {
			args = t
		}
	}
	var buf [4]int64
	if list, isPlain := integers(buf[:0], args); isPlain {
		if _, err := a.view().At(list...); err != nil {
			return 0, true, err
		}
		var sizes [8]int64
		scale := int64(1)
		for i, n := range a.view().Domain().AppendModeSizes(sizes[:0]) {
			index += list[i] * scale
			scale *= n
		}
		return index, true, nil
	}
	var c cute.Tuple
	if c, ok = coordinate(args); !ok {
		var k cute.Coord
		if k, ok = r.coordOf(args, at); !ok {
			return 0, false, nil
		}
		if c, ok = k.Tuple(); !ok {
			return 0, false, nil
		}
	}
	fixed, err := cute.Fixed(c)
	if err != nil {
		return 0, true, err
	}
	if _, err := a.view().Get(fixed); err != nil {
		return 0, true, err
	}
	index, err = cute.Crd2Idx(c, a.view().Shape())
	return index, true, err
}

// integers appends the values to dst; ok is false if they are not all integers.
func integers(dst []int64, args []Value) (list []int64, ok bool) {
	for _, v := range args {
		n, ok := integerOf(v)
		if !ok {
			return nil, false
		}
		dst = append(dst, n)
	}
	return dst, len(dst) > 1
}

// coordinate converts values to a coordinate; ok is false if they are not all integers or tuples of integers.
func coordinate(args []Value) (cute.Tuple, bool) {
	list := make([]cute.Tuple, len(args))
	for i, v := range args {
		if n, ok := integerOf(v); ok {
			list[i] = cute.Int(n)
			continue
		}
		t, ok := v.(Tuple)
		if !ok {
			return cute.Tuple{}, false
		}
		if list[i], ok = coordinate(t); !ok {
			return cute.Tuple{}, false
		}
	}
	t, err := cute.MakeTuple(list...)
	return t, err == nil
}

// coordOf converts values to a coordinate of the algebra, as make_coord(1, 2) does.
func (r *runner) coordOf(args []Value, _ program.Node) (cute.Coord, bool) {
	if len(args) != 1 {
		return cute.Coord{}, false
	}
	a, ok := args[0].(Algebra)
	if !ok {
		return cute.Coord{}, false
	}
	switch v := a.Value.(type) {
	case eval.Tuple:
		c, err := cute.Fixed(v.Tuple)
		return c, err == nil
	case eval.Coord:
		return v.Coord, true
	}
	return cute.Coord{}, false
}
