package gpu

import (
	"context"
	"math"
	"runtime"
	"unsafe"

	"girih/internal/card/cuda"
)

// Element is a type that the host and the card represent alike. A type that only the card supports is passed as bits:
// f16 and bf16 as uint16, fp8 as uint8.
type Element interface {
	~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~uint32 | ~int64 | ~uint64 | ~float32 | ~float64
}

// A Buffer is an array of elements in the memory of a card.
type Buffer[T Element] struct {
	r    *resource
	addr cuda.Addr
	n    int
	on   *Stream // the stream of copies and fills; nil for the device's own
}

// bytes returns the size of n elements.
func bytes[T Element](n int) (int64, error) {
	var x T
	size := int64(unsafe.Sizeof(x))
	if n < 1 || int64(n) > math.MaxInt64/size {
		return 0, wrong("a buffer of %d elements of %d bytes: it needs 1 at least", n, size)
	}
	return int64(n) * size, nil
}

// Alloc allocates n elements with undefined values. The error has the code [OutOfMemory] if there is not enough memory,
// and [Argument] if n is not positive.
func Alloc[T Element](d *Device, n int) (*Buffer[T], error) {
	size, err := bytes[T](n)
	if err == nil {
		err = d.alive()
	}
	if err != nil {
		return nil, err
	}
	addr, refused := d.ctx.Alloc(size)
	if refused != nil {
		return nil, failure(refused)
	}
	return &Buffer[T]{r: d.own(func() *cuda.Failure { return d.ctx.Release(addr) }), addr: addr, n: n}, nil
}

// Upload allocates a buffer and copies src to it. Upload returns the errors of [Alloc] and [Buffer.Write].
func Upload[T Element](ctx context.Context, d *Device, src []T) (*Buffer[T], error) {
	b, err := Alloc[T](d, len(src))
	if err != nil {
		return nil, err
	}
	if err := b.Write(ctx, src); err != nil {
		_ = b.Close() // the first error is more informative
		return nil, err
	}
	return b, nil
}

// Len returns the number of elements of b.
func (b *Buffer[T]) Len() int { return b.n }

// Addr returns the address of b on the card.
func (b *Buffer[T]) Addr() uint64 { return uint64(b.addr) }

// Close waits for the running kernels and frees the memory. The error has the code [Left] if abandoned work is still
// running.
func (b *Buffer[T]) Close() error { return b.r.close() }

// Part returns the n elements of b that begin at index from as a buffer, which is closed with b. The error has the code
// [Argument] if they are not all in b.
func (b *Buffer[T]) Part(from, n int) (*Buffer[T], error) {
	if from < 0 || n < 1 || n > b.n-from {
		return nil, wrong("elements from %d to %d of a buffer of %d", from, from+n-1, b.n)
	}
	var x T
	return &Buffer[T]{b.r, b.addr + cuda.Addr(uintptr(from)*unsafe.Sizeof(x)), n, b.on}, nil
}

// On returns b with s as the stream of its copies and fills, which have the code [Argument] if s belongs to another
// device. nil is the device's own stream.
func (b *Buffer[T]) On(s *Stream) *Buffer[T] {
	c := *b
	c.on = s
	return &c
}

func (b *Buffer[T]) device() *Device { return b.r.device }

// begin returns the stream of b, or an error unless a copy of n elements fits into b.
func (b *Buffer[T]) begin(n int) (*Stream, error) {
	if n > b.n {
		return nil, wrong("a copy of %d elements: the buffer has %d", n, b.n)
	}
	if err := b.alive(); err != nil {
		return nil, err
	}
	return b.r.queue(b.on)
}

// Write copies src to the beginning of b, after work queued on the stream, and waits for the copy. The error has the
// code [Argument] if src is longer than b.
func (b *Buffer[T]) Write(ctx context.Context, src []T) error {
	return b.transfer(ctx, src, func(s *cuda.Stream, host unsafe.Pointer, n int64) *cuda.Failure {
		return s.CopyIn(b.addr, host, n)
	})
}

// Read copies the beginning of b to dst, after work queued on the stream, and waits for the copy. The error has the
// code [Argument] if dst is longer than b.
func (b *Buffer[T]) Read(ctx context.Context, dst []T) error {
	return b.transfer(ctx, dst, func(s *cuda.Stream, host unsafe.Pointer, n int64) *cuda.Failure {
		return s.CopyOut(host, b.addr, n)
	})
}

// transfer copies after a wait for queued work: a copy of memory that is not pinned would itself wait for kernels, and
// ctx could not end that wait.
func (b *Buffer[T]) transfer(
	ctx context.Context, host []T, queue func(s *cuda.Stream, host unsafe.Pointer, n int64) *cuda.Failure,
) error {
	s, err := b.begin(len(host))
	if err != nil || len(host) == 0 {
		return err
	}
	if err := s.poll(ctx); err != nil {
		return err
	}
	p := unsafe.Pointer(unsafe.SliceData(host))
	if err := queue(s.stream, p, int64(len(host))*int64(unsafe.Sizeof(host[0]))); err != nil {
		return failure(err)
	}
	err = s.poll(context.WithoutCancel(ctx)) // until the copy is done, the card reads or writes host
	runtime.KeepAlive(host)
	return err
}

// Fill queues a write of v to every element. The error has the code [Argument] if v has 8 bytes and its halves differ,
// because the driver cannot write such a value.
func (b *Buffer[T]) Fill(v T) error {
	q, err := b.begin(0)
	if err != nil {
		return err
	}
	s := q.stream
	switch p := unsafe.Pointer(&v); unsafe.Sizeof(v) {
	case 1:
		return failure(s.Set(b.addr, uint32(*(*uint8)(p)), 1, int64(b.n)))
	case 2:
		return failure(s.Set(b.addr, uint32(*(*uint16)(p)), 2, int64(b.n)))
	case 4:
		return failure(s.Set(b.addr, *(*uint32)(p), 4, int64(b.n)))
	default:
		half := *(*[2]uint32)(p)
		if half[0] != half[1] {
			return wrong("the driver cannot fill 8 bytes whose halves are %#x and %#x: use Write", half[1], half[0])
		}
		return failure(s.Set(b.addr, half[0], 4, 2*int64(b.n)))
	}
}

// Copy queues a copy of src to the beginning of b on the stream of b. If src belongs to another device, the copy does
// not wait for work queued on that device: call its [Device.Wait] first, or let the stream wait with [Stream.After].
// The error has the code [Argument] if src is longer than b.
func (b *Buffer[T]) Copy(src *Buffer[T]) error {
	s, err := b.begin(src.n)
	if err != nil {
		return err
	}
	if err := src.alive(); err != nil {
		return err
	}
	var x T
	return failure(s.stream.Copy(b.addr, src.addr, int64(src.n)*int64(unsafe.Sizeof(x))))
}

// A Pinned is memory of the host that the card also reads and writes, at the same address. Kernels can use it, and
// copies from and to it are queued without waiting: until such a copy is done, as an [Event] after it tells, the host
// must not change the memory that the copy reads, and must not use the memory that it writes.
type Pinned[T Element] struct {
	r *resource
	p unsafe.Pointer
	n int
}

// AllocPinned allocates n elements in pinned memory of the host. The error has the code [OutOfMemory] if there is not
// enough memory, and [Argument] if n is not positive.
func AllocPinned[T Element](d *Device, n int) (*Pinned[T], error) {
	size, err := bytes[T](n)
	if err == nil {
		err = d.alive()
	}
	if err != nil {
		return nil, err
	}
	p, refused := d.ctx.HostAlloc(size)
	if refused != nil {
		return nil, failure(refused)
	}
	clear(unsafe.Slice((*byte)(p), size))
	r := d.own(func() *cuda.Failure {
		d.drain() // a copy may still read or write p
		return d.ctx.HostRelease(p)
	})
	return &Pinned[T]{r, p, n}, nil
}

// Part returns the n elements of h that begin at index from, which are closed with h. The error has the code
// [Argument] if they are not all in h.
func (h *Pinned[T]) Part(from, n int) (*Pinned[T], error) {
	if from < 0 || n < 1 || n > h.n-from {
		return nil, wrong("elements from %d to %d of pinned memory of %d", from, from+n-1, h.n)
	}
	var x T
	return &Pinned[T]{h.r, unsafe.Add(h.p, uintptr(from)*unsafe.Sizeof(x)), n}, nil
}

// Slice returns the memory, or nil after Close. The slice must not be used after Close.
func (h *Pinned[T]) Slice() []T {
	if h.r.alive("") != nil {
		return nil
	}
	return unsafe.Slice((*T)(h.p), h.n)
}

// Addr returns the address of h, for the host and for the card.
func (h *Pinned[T]) Addr() uint64 { return uint64(uintptr(h.p)) }

// Close waits for queued work and frees the memory. The error has the code [Left] if abandoned work is still running.
func (h *Pinned[T]) Close() error { return h.r.close() }

func (h *Pinned[T]) device() *Device { return h.r.device }

// WriteFrom queues a copy of h to the beginning of b. The error has the code [Argument] if h is longer than b.
func (b *Buffer[T]) WriteFrom(h *Pinned[T]) error {
	s, err := b.pair(h)
	if err != nil {
		return err
	}
	var x T
	return failure(s.stream.CopyIn(b.addr, h.p, int64(h.n)*int64(unsafe.Sizeof(x))))
}

// ReadInto queues a copy of the beginning of b to h. The error has the code [Argument] if h is longer than b.
func (b *Buffer[T]) ReadInto(h *Pinned[T]) error {
	s, err := b.pair(h)
	if err != nil {
		return err
	}
	var x T
	return failure(s.stream.CopyOut(h.p, b.addr, int64(h.n)*int64(unsafe.Sizeof(x))))
}

func (b *Buffer[T]) pair(h *Pinned[T]) (*Stream, error) {
	if err := h.alive(); err != nil {
		return nil, err
	}
	return b.begin(h.n)
}
