package interp

import (
	"strings"

	"girih/cute"
	"girih/internal/lang/python"
)

// This file has what the host programs of the CuTe DSL call around their kernels: argparse, whose arguments have their
// default values here, functools.partial, and streams.

// hostModule returns a function of such a module, or nil.
func hostModule(path, name string) Value {
	call := map[string]func(r *runner, c *arguments) (Value, error){
		"functools.partial": partial, "argparse.ArgumentParser": newParser,
		"testing.benchmark": func(*runner, *arguments) (Value, error) {
			return nil, errorf(cute.CodeSyntax, "time is not measured: the program runs here, and not on a GPU")
		},
		"time.time": noTime, "time.perf_counter": noTime, "pipeline.NamedBarrier": newBarrier, "testing.JitArguments": newStream, "cuda.CUstream": newStream, "cuda.current_stream": newStream,
		"torch.current_stream": newStream, "torch.default_stream": newStream, "cuda.Stream": newStream,
	}[lastPart(path)+"."+name]
	if call != nil {
		return &Builtin{Name: path + "." + name, Call: call, Always: true}
	}
	if name == "CUstream_flags" {
		return &ClassType{Name: name, names: map[string]*cell{"CU_STREAM_DEFAULT": {v: Int(0)}}}
	}
	return nil
}

// newStream returns a stream. All work is done when a call returns.
func newStream(*runner, *arguments) (Value, error) {
	return &Instance{&ClassType{Name: "CUstream"}, map[string]Value{"cuda_stream": Int(0)}}, nil
}

// noTime is time.time(): no time passes here.
func noTime(r *runner, _ *arguments) (Value, error) {
	r.noteAt(r.here.Pos(), "time is not measured: it is 0")
	return Float(0), nil
}

// newBarrier is pipeline.NamedBarrier(barrier_id, num_threads): a barrier of all threads of a block.
func newBarrier(_ *runner, c *arguments) (Value, error) {
	n, known := integerOf(c.take("num_threads"))
	b := &Instance{&ClassType{Name: "NamedBarrier"}, make(map[string]Value)}
	wait := func(r *runner, _ *arguments) (Value, error) {
		if r.kernel != nil && known && n != volume(r.kernel.block) {
			return nil, errorf(cute.CodeSyntax, "a barrier of %d of the %d threads of a block is not run", n, volume(r.kernel.block))
		}
		return None{}, r.syncThreads()
	}
	for _, name := range []string{"arrive_and_wait", "sync"} {
		b.attrs[name] = &Builtin{Name: name, Call: wait, Always: true}
	}
	return b, nil
}

// partial is functools.partial(f, ARGS).
func partial(_ *runner, c *arguments) (Value, error) {
	if len(c.pos) == 0 {
		return nil, python.TypeError("type 'partial' takes at least one argument")
	}
	return &Builtin{Name: "functools.partial", Always: true, Call: func(r *runner, more *arguments) (Value, error) {
		all := &arguments{pos: append(append([]Value(nil), c.pos[1:]...), more.pos...)}
		for _, k := range c.keys {
			if !more.has(k.Name) {
				all.keys = append(all.keys, k)
			}
		}
		all.keys = append(all.keys, more.keys...)
		return r.applyTo(c.pos[0], all)
	}}, nil
}

// newParser is argparse.ArgumentParser().
func newParser(*runner, *arguments) (Value, error) {
	args := &Instance{&ClassType{Name: "Namespace"}, make(map[string]Value)}
	parser := &Instance{&ClassType{Name: "ArgumentParser"}, make(map[string]Value)}
	missing := ""
	add := func(r *runner, c *arguments) (Value, error) {
		name := ""
		for _, v := range c.pos {
			text, _ := v.(Str)
			if strings.HasPrefix(string(text), "--") || name == "" {
				name = string(text)
			}
		}
		dest, isText := c.take("dest").(Str)
		key := strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")
		if isText {
			key = string(dest)
		}
		v := c.take("default")
		action, _ := c.take("action").(Str)
		required := c.take("required") == Bool(true) || !strings.HasPrefix(name, "-") && v == nil
		if required && missing == "" {
			missing = name
		}
		text, isText := v.(Str)
		convert := c.take("type")
		switch {
		case v == nil && action == "store_true":
			v = Bool(false)
		case v == nil && action == "store_false":
			v = Bool(true)
		case v == nil:
			v = None{}
		case isText && convert != nil:
			var err error
			if v, err = r.apply(convert, text); err != nil {
				return nil, err
			}
		}
		args.attrs[key] = v
		return None{}, nil
	}
	parse := func(r *runner, _ *arguments) (Value, error) {
		if missing != "" {
			return nil, errorf(cute.CodeName, "the argument %s of the program has no default value: write the value into the program",
				missing)
		}
		return args, nil
	}
	fail := func(r *runner, c *arguments) (Value, error) {
		text, _ := c.pos[0].(Str)
		return nil, python.Raise("SystemExit", "%s", text)
	}
	for name, call := range map[string]func(r *runner, c *arguments) (Value, error){
		"add_argument": add, "parse_args": parse, "error": fail,
	} {
		parser.attrs[name] = &Builtin{Name: name, Call: call, Always: true}
	}
	return parser, nil
}
