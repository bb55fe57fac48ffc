package gpu

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"girih/internal/card/cuda"
)

// Info describes a card. A field that the driver does not report is 0 or "".
type Info struct {
	Index          int
	Name           string
	Chip           string // as PTX names it: "sm_90"
	Bus            string // PCI address: "0000:00:05.0"
	CUDA           string // version of the driver's interface: "13.0"
	Driver         string // version of the driver, from NVML: "580.159.04"
	Memory         int64  // bytes
	SMs            int
	ThreadsPerSM   int
	L2             int64 // bytes
	SharedPerBlock int64 // maximum bytes of shared memory that a kernel may use
	MaxSMMHz       int   // maximum clocks
	MaxMemoryMHz   int
	State          State // the state when Info was read
}

// State contains the clocks, temperature and power of a card at one moment. A field that NVML does not report is 0.
type State struct {
	SMMHz, MemoryMHz       int // clocks
	MaxSMMHz, MaxMemoryMHz int // maximum clocks
	Celsius                int
	Watts                  float64
}

// stateOf returns the state of v, or a zero State without NVML.
func stateOf(v *cuda.Device) State {
	n, err := cuda.LoadNVML()
	if err != nil {
		return State{}
	}
	return State(n.State(v))
}

// Devices lists the cards. The error has the code [NoDriver], [OldDriver] or [NoDevice].
func Devices() ([]Info, error) {
	d, err := cuda.Load()
	if err != nil {
		return nil, failure(err)
	}
	n, err := d.Devices()
	if err != nil {
		return nil, failure(err)
	}
	infos := make([]Info, n)
	for i := range infos {
		v, err := d.Device(i)
		if err != nil {
			return nil, failure(err)
		}
		var unread error
		if infos[i], unread = info(i, v); unread != nil {
			return nil, unread
		}
	}
	return infos, nil
}

func info(index int, v *cuda.Device) (Info, error) {
	var errs []error
	text := func(s string, err *cuda.Failure) string { errs = append(errs, failure(err)); return s }
	attr := func(a cuda.Attr) int {
		n, err := v.Attr(a)
		errs = append(errs, failure(err))
		return n
	}
	i := Info{
		Index: index, Name: text(v.Name()), Chip: text(v.Chip()), Bus: text(v.BusID()), CUDA: v.Driver().Version().String(),
		SMs: attr(cuda.SMs), ThreadsPerSM: attr(cuda.ThreadsPerSM), L2: int64(attr(cuda.L2Bytes)),
		SharedPerBlock: int64(attr(cuda.SharedBytesPerBlock)),
		MaxSMMHz:       attr(cuda.ClockKHz) / 1000, MaxMemoryMHz: attr(cuda.MemoryClockKHz) / 1000,
	}
	memory, err := v.Memory()
	i.Memory, errs = memory, append(errs, failure(err))
	if n, err := cuda.LoadNVML(); err == nil {
		i.Driver = n.Version()
	}
	i.State = stateOf(v)
	return i, errors.Join(errs...)
}

// A Device is an open card with a queue of work.
type Device struct {
	info   Info
	ctx    *cuda.Context
	main   *Stream
	left   atomic.Bool // a wait ended before the work of one of the streams, which is abandoned
	closed atomic.Bool

	mu    sync.Mutex
	cache cuda.Cache
	live  map[*resource]bool
	open  map[*Stream]bool
	made  int
}

// A resource belongs to a device and is freed only once.
type resource struct {
	device *Device
	number int // the number in the order of creation
	free   func() *cuda.Failure
	shared atomic.Int64 // tensors of DLPack that other libraries hold
}

// Open opens the card with this index, counted from 0. The error has the code [NoDriver], [OldDriver] or [NoDevice].
func Open(index int) (*Device, error) {
	driver, err := cuda.Load()
	if err != nil {
		return nil, failure(err)
	}
	v, err := driver.Device(index)
	if err != nil {
		return nil, failure(err)
	}
	c, err := v.Context()
	if err != nil {
		return nil, failure(err)
	}
	return open(index, c)
}

// open returns a device with the context c, which it closes if it fails.
func open(index int, c *cuda.Context) (*Device, error) {
	i, err := info(index, c.Device())
	if err != nil {
		return nil, errors.Join(err, failure(c.Close()))
	}
	d := &Device{info: i, ctx: c, cache: cuda.UserCache(), live: map[*resource]bool{}, open: map[*Stream]bool{}}
	if d.main, err = d.NewStream(); err != nil {
		return nil, errors.Join(err, failure(c.Close()))
	}
	return d, nil
}

// Info describes the card as it was when the device was opened.
func (d *Device) Info() Info { return d.info }

// SetCache makes dir the folder in which compiled modules are cached; "" turns caching off.
func (d *Device) SetCache(dir string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cache = cuda.Cache(dir)
}

// Free returns the number of free bytes of the card's memory. The error has the code [Argument] if d was closed.
func (d *Device) Free() (int64, error) {
	if err := d.alive(); err != nil {
		return 0, err
	}
	free, _, err := d.ctx.Free()
	return free, failure(err)
}

// alive returns an error if d was closed.
func (d *Device) alive() error {
	if d.closed.Load() {
		return wrong("the device was closed")
	}
	return nil
}

// name returns d as errors show it.
func (d *Device) name() string { return fmt.Sprintf("device %d (%s)", d.info.Index, d.info.Name) }

// same returns an error unless d is x, the device of a thing that is used on d.
func (d *Device) same(x *Device) error {
	switch {
	case d == x:
		return nil
	case d.info.Index == x.info.Index:
		return fmt.Errorf("it belongs to another opening of %s: open a device once", d.name())
	}
	return fmt.Errorf("it is on %s, not on %s", x.name(), d.name())
}

// idle returns an error while abandoned work is running, because freeing would wait for the work.
func (d *Device) idle() error {
	if !d.left.Load() {
		return nil
	}
	for s := range d.open {
		if !s.left.Load() {
			continue
		}
		if done, err := s.stream.IsDone(); err == nil && !done {
			return &Error{
				Code: Left, Message: "work that was left is still running, nothing can be freed",
				Hint: "the end of the process frees everything",
			}
		}
		s.left.Store(false)
	}
	d.left.Store(false)
	return nil
}

// own records a resource of d that free frees.
func (d *Device) own(free func() *cuda.Failure) *resource {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := &resource{device: d, number: d.made, free: free}
	d.made++
	d.live[r] = true
	return r
}

// close frees r, unless r was freed before or never existed.
func (r *resource) close() error {
	if r == nil {
		return nil
	}
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	if !r.device.live[r] {
		return nil
	}
	if err := r.checkShared(); err != nil {
		return err
	}
	if err := r.device.idle(); err != nil {
		return err
	}
	delete(r.device.live, r)
	return failure(r.free())
}

// checkShared returns an error while other libraries hold the memory.
func (r *resource) checkShared() error {
	if n := r.shared.Load(); n > 0 {
		return wrong("other libraries hold the buffer by %d tensors of DLPack, which they must release first", n)
	}
	return nil
}

// alive returns an error if r was freed. The resource of a zero value is nil, and was never opened.
func (r *resource) alive(what string) error {
	if r == nil {
		return wrong("%s was never opened", what)
	}
	r.device.mu.Lock()
	defer r.device.mu.Unlock()
	if !r.device.live[r] {
		return wrong("%s was closed", what)
	}
	return nil
}

// Close waits for queued work, frees everything on the device that is not closed yet, and then frees the device.
// Nothing else may use the device during Close. The error has the code [Left] if abandoned work is still running, and
// [Argument] while another library holds memory of the device by [Buffer.ToDLPack]; Close can then be called again.
func (d *Device) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed.Load() {
		return nil
	}
	if err := d.idle(); err != nil {
		return err
	}
	for r := range d.live {
		if err := r.checkShared(); err != nil {
			return err
		}
	}
	d.closed.Store(true)
	all := make([]*resource, 0, len(d.live))
	for r := range d.live {
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b *resource) int { return cmp.Compare(b.number, a.number) })
	var errs []error
	for s := range d.open {
		errs = append(errs, s.poll(context.Background()))
	}
	for _, r := range all {
		errs = append(errs, failure(r.free()))
	}
	d.live = nil
	return errors.Join(append(errs, failure(d.ctx.Close()))...)
}
