package gpu

import (
	"fmt"

	"girih/internal/card/cuda"
	"girih/ptx"
)

// A Module is a module of code, loaded on a device.
type Module struct {
	r      *resource
	module *cuda.Module
	ptx    *ptx.Module // nil if the PTX is not known
	log    string
	cached bool
}

// Load compiles and loads a module. A module that was compiled before is loaded from the cache. The driver's linker, by
// which modules are compiled at one time, ignores setmaxnreg; if it spills registers of a kernel with this instruction,
// the driver compiles the module again when it loads it, one module at a time. The error has the code [Refused] if the
// driver refuses the module; the Log of this error contains the compiler's messages.
func (d *Device) Load(m *ptx.Module) (*Module, error) { return d.build(m.String(), m) }

// LoadPTX is [Device.Load] for the text of a module. It also loads PTX that package ptx cannot parse; only the sizes of
// arguments are then checked.
func (d *Device) LoadPTX(src string) (*Module, error) {
	m, err := ptx.Parse(src)
	if err != nil {
		m = nil
	}
	return d.build(src, m)
}

func (d *Device) build(src string, tree *ptx.Module) (*Module, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	d.mu.Lock()
	cache := d.cache
	d.mu.Unlock()
	m, log, cached, err := d.ctx.Build(src, cache)
	if err != nil {
		return nil, failure(err)
	}
	return &Module{r: d.own(m.Close), module: m, ptx: tree, log: log, cached: cached}, nil
}

// LoadCubin loads a cubin, the output of a compiler. The error has the code [Refused] if the bytes are not a cubin,
// or if the cubin is for another chip.
func (d *Device) LoadCubin(cubin []byte) (*Module, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	m, err := d.ctx.Load(cubin)
	if err != nil {
		return nil, failure(err)
	}
	return &Module{r: d.own(m.Close), module: m}, nil
}

// Log returns the compiler's messages, or "" if the module was compiled before.
func (m *Module) Log() string { return m.log }

// Cached reports whether the module came from the cache.
func (m *Module) Cached() bool { return m.cached }

// Close unloads the module. Its kernels must not be running. The error has the code [Left] if abandoned work is
// still running.
func (m *Module) Close() error { return m.r.close() }

// A Kernel is a function that can be launched.
type Kernel struct {
	r         *resource // the resource of the module
	name      string
	function  *cuda.Function
	params    []parameter
	known     bool // params are known
	resources Resources
	limits    limits
	on        *Stream // the stream of launches; nil for the device's own
}

// Resources lists the resources that a kernel uses.
type Resources struct {
	Registers  int // per thread
	Local      int // bytes per thread: spills and arrays
	Shared     int // bytes per block, without dynamic shared memory
	MaxThreads int // maximum threads of a block
}

// limits contains the limits of a launch.
type limits struct {
	grid, block [3]int
	shared      int // bytes per block
	clusters    bool
}

// Kernel returns the kernel called name. The error has the code [Argument] if the module does not contain it.
func (m *Module) Kernel(name string) (*Kernel, error) {
	if err := m.r.alive("the module"); err != nil {
		return nil, err
	}
	f, missing := m.module.Function(name)
	if missing != nil {
		return nil, failure(missing)
	}
	k := &Kernel{r: m.r, name: name, function: f}
	for _, a := range []struct {
		attr cuda.FuncAttr
		to   *int
	}{
		{cuda.FuncRegisters, &k.resources.Registers},
		{cuda.FuncLocal, &k.resources.Local},
		{cuda.FuncStaticShared, &k.resources.Shared},
		{cuda.FuncMaxThreads, &k.resources.MaxThreads},
	} {
		n, err := f.Attr(a.attr)
		if err != nil {
			return nil, failure(err)
		}
		*a.to = n
	}
	var err error
	if k.limits, err = m.r.device.limits(); err != nil {
		return nil, err
	}
	k.params, k.known = m.params(name, f)
	return k, nil
}

// Resources returns the resources that the kernel uses.
func (k *Kernel) Resources() Resources { return k.resources }

func (d *Device) limits() (limits, error) {
	var l limits
	var clusters int
	for _, a := range []struct {
		attr cuda.Attr
		to   *int
	}{
		{cuda.MaxGridX, &l.grid[0]},
		{cuda.MaxGridY, &l.grid[1]},
		{cuda.MaxGridZ, &l.grid[2]},
		{cuda.MaxBlockX, &l.block[0]},
		{cuda.MaxBlockY, &l.block[1]},
		{cuda.MaxBlockZ, &l.block[2]},
		{cuda.SharedBytesPerBlock, &l.shared},
		{cuda.SupportsCluster, &clusters},
	} {
		n, err := d.ctx.Device().Attr(a.attr)
		if err != nil {
			return l, failure(err)
		}
		*a.to = n
	}
	l.clusters = clusters != 0
	return l, nil
}

// params returns the parameters and whether they are known: from the tree with types, or from the driver with sizes.
func (m *Module) params(name string, f *cuda.Function) ([]parameter, bool) {
	if m.ptx != nil {
		if fn := m.ptx.Func(ptx.Name(name)); fn != nil {
			return parameters(fn), true
		}
	}
	sizes, known := f.Params()
	params := make([]parameter, len(sizes))
	for i, n := range sizes {
		params[i] = parameter{name: fmt.Sprint(i), size: n}
	}
	return params, known
}

// OccupiedBy returns how many blocks, each with the given numbers of threads and of bytes of dynamic shared memory, fit
// on a multiprocessor.
// The error has the code [Argument] if the module was closed.
func (k *Kernel) OccupiedBy(threads, sharedBytes int) (int, error) {
	if err := k.r.alive("the module"); err != nil {
		return 0, err
	}
	n, err := k.function.Occupancy(threads, sharedBytes)
	return n, failure(err)
}
