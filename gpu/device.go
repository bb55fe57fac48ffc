package gpu

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"girih/internal/card/cuda"
)

// Info is what a card is. A field is 0 or "" where the driver does not tell.
type Info struct {
	Index          int
	Name           string
	Chip           string // as PTX names it: "sm_90"
	Bus            string // where it is plugged in: "0000:00:05.0"
	CUDA           string // version of the driver's interface: "13.0"
	Driver         string // version of the driver: "580.159.04"; NVML tells
	Memory         int64  // bytes
	SMs            int
	ThreadsPerSM   int
	L2             int64 // bytes
	SharedPerBlock int64 // bytes that a kernel may have at most
	MaxSMMHz       int   // the highest clocks
	MaxMemoryMHz   int
	State          State // at the time of asking
}

// State is how a card is at a moment. Fields are 0 where NVML does not tell.
type State = cuda.State

// Devices lists the cards. The error has the code [NoDriver], [OldDriver] or [NoDevice].
func Devices() ([]Info, error) {
	d, err := cuda.Load()
	if err != nil {
		return nil, err
	}
	n, err := d.Devices()
	if err != nil {
		return nil, err
	}
	infos := make([]Info, n)
	for i := range infos {
		v, err := d.Device(i)
		if err != nil {
			return nil, err
		}
		if infos[i], err = info(i, v); err != nil {
			return nil, err
		}
	}
	return infos, nil
}

func info(index int, v *cuda.Device) (Info, error) {
	var errs []error
	text := func(s string, err error) string { errs = append(errs, err); return s }
	attr := func(a cuda.Attr) int {
		n, err := v.Attr(a)
		errs = append(errs, err)
		return n
	}
	i := Info{
		Index: index, Name: text(v.Name()), Chip: text(v.Chip()), Bus: text(v.BusID()), CUDA: v.Driver().Version().String(),
		SMs: attr(cuda.SMs), ThreadsPerSM: attr(cuda.ThreadsPerSM), L2: int64(attr(cuda.L2Bytes)),
		SharedPerBlock: int64(attr(cuda.SharedBytesPerBlock)),
		MaxSMMHz:       attr(cuda.ClockKHz) / 1000, MaxMemoryMHz: attr(cuda.MemoryClockKHz) / 1000,
	}
	memory, err := v.Memory()
	i.Memory, errs = memory, append(errs, err)
	if n, err := cuda.LoadNVML(); err == nil {
		i.Driver = n.Version()
		i.State, _ = n.State(v) // what it does not tell is 0
	}
	return i, errors.Join(errs...)
}

// A Device is an opened card, with a queue of work.
type Device struct {
	info   Info
	ctx    *cuda.Context
	stream *cuda.Stream
	left   atomic.Bool // a wait ended before the work did
	closed atomic.Bool

	mu    sync.Mutex
	cache cuda.Cache
	live  map[*resource]bool
	made  int
}

// A resource is something of a device that is given back once.
type resource struct {
	device *Device
	number int // in the order in which they were made
	free   func() error
}

// Open opens the card of that number, from 0. The error has the code [NoDriver], [OldDriver] or [NoDevice].
func Open(index int) (*Device, error) {
	driver, err := cuda.Load()
	if err != nil {
		return nil, err
	}
	v, err := driver.Device(index)
	if err != nil {
		return nil, err
	}
	i, err := info(index, v)
	if err != nil {
		return nil, err
	}
	c, err := v.Context()
	if err != nil {
		return nil, err
	}
	s, err := c.Stream()
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return &Device{info: i, ctx: c, stream: s, cache: cuda.UserCache(), live: map[*resource]bool{}}, nil
}

// Info returns what the card is, as it was when it was opened.
func (d *Device) Info() Info { return d.info }

// SetCache makes dir the folder where compiled modules are kept; "" keeps none.
func (d *Device) SetCache(dir string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cache = cuda.Cache(dir)
}

// Free returns how many bytes of memory are free. The error has the code [Argument] if d was closed.
func (d *Device) Free() (int64, error) {
	if err := d.alive(); err != nil {
		return 0, err
	}
	free, _, err := d.ctx.Free()
	return free, err
}

// Wait waits until everything that was queued is done. The error has the code [Fault] if a kernel did something wrong,
// and [Left] if ctx ended first.
func (d *Device) Wait(ctx context.Context) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.note(d.stream.Wait(ctx))
}

// alive returns an error if d was closed.
func (d *Device) alive() error {
	if d.closed.Load() {
		return wrong("the device was closed")
	}
	return nil
}

// note remembers that work was left.
func (d *Device) note(err error) error {
	if e, ok := errors.AsType[*Error](err); ok && e.Code == Left {
		d.left.Store(true)
	}
	return err
}

// idle returns an error as long as work that was left is running: to free something would wait for it.
func (d *Device) idle() error {
	if !d.left.Load() {
		return nil
	}
	if done, err := d.stream.Done(); err == nil && !done {
		return &Error{
			Code: Left, Message: "work that was left is still running, nothing can be freed",
			Hint: "the end of the process frees everything",
		}
	}
	d.left.Store(false)
	return nil
}

// own notes something that is to be given back.
func (d *Device) own(free func() error) *resource {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &resource{d, d.made, free}
	d.made++
	d.live[r] = true
	return r
}

// close frees r, unless it was freed before.
func (r *resource) close() error {
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	if !r.device.live[r] {
		return nil
	}
	if err := r.device.idle(); err != nil {
		return err
	}
	delete(r.device.live, r)
	return r.free()
}

// alive returns an error if r was given back.
func (r *resource) alive(what string) error {
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	if !r.device.live[r] {
		return wrong("%s was closed", what)
	}
	return nil
}

// Close waits for what is queued, gives back what was made on the device and was not closed, then the device. Nothing
// else may be using it. The error has the code [Left] if work that was left is still running; Close can then be called
// again.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed.Load() {
		return nil
	}
	if err := d.idle(); err != nil {
		return err
	}
	d.closed.Store(true)
	all := make([]*resource, 0, len(d.live))
	for r := range d.live {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *resource) int { return cmp.Compare(b.number, a.number) })
	errs := []error{d.stream.Wait(context.Background())}
	for _, r := range all {
		errs = append(errs, r.free())
	}
	d.live = nil
	return errors.Join(append(errs, d.stream.Close(), d.ctx.Close())...)
}
