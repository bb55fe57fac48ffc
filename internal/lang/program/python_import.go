package program

// This file parses the imports of Python. Modules and their names are known without an import, so that only an import
// that gives another name does something: it is an assignment.

// pythonModules are the modules that programs may import: true if girih has functions of the module. A use of any other
// module is refused.
var pythonModules = map[string]bool{
	"cutlass": true, "cute": true, "pycute": true, "functools": true, "math": true, "itertools": true, "operator": true,
	"typing": false, "dataclasses": false, "__future__": false, "torch": false, "numpy": false, "cuda": false, "os": false,
	"sys": false, "time": false, "argparse": false, "enum": false, "abc": false, "collections": false, "pprint": false,
}

// imports parses import A.B as C, D and from A import B as C, D.
func (p *parser) imports() (list []Stmt) {
	if p.is("from") {
		return p.fromImport()
	}
	for first := true; first || p.accept(","); first = false {
		if first {
			p.i++
		}
		module := p.module()
		if module == nil {
			p.skipLine()
			return []Stmt{&Refusal{p.since(p.i), "another module", "ModuleNotFoundError"}}
		}
		if !p.accept("as") {
			continue
		}
		as := p.name("a name for the module")
		list = append(list, alias(as, module)...)
	}
	return list
}

// skipLine moves to the end of the line.
func (p *parser) skipLine() {
	for p.tok().kind != tokenNewline && p.tok().kind != tokenEnd {
		p.i++
	}
}

// module parses the path of a module, and refuses one that is not known. Within try it returns nil for it.
func (p *parser) module() Expr {
	from := p.tok().From
	var x Expr = p.name("the name of a module")
	root := p.src[x.Pos():x.End()]
	for p.accept(".") {
		t := p.name("the name of a module")
		x = &Attr{Span: p.since(from), X: x, Name: t.Name, At: t.From}
	}
	if _, ok := pythonModules[root]; !ok && p.tries > 0 {
		return nil
	} else if !ok {
		panic(failure{&Error{Span: p.since(from), Msg: "the module " + root + " is not run: " + pythonRuns, Refused: true}})
	}
	return x
}

// fromImport parses from MODULE import NAME as NAME, ....
func (p *parser) fromImport() (list []Stmt) {
	p.i++
	if p.is(".") || p.is("...") {
		fail(p.tok().Span, "expected the name of a module: other files are not run")
	}
	module := p.module()
	if module == nil {
		p.skipLine()
		return []Stmt{&Refusal{p.since(p.i), "another module", "ModuleNotFoundError"}}
	}
	p.expect("import", "import")
	if p.accept("*") {
		return nil
	}
	brackets := p.accept("(")
	for {
		name := p.name("a name of the module")
		as := name
		if p.accept("as") {
			as = p.name("another name")
		}
		list = append(list, alias(as, &Attr{Span: p.since(module.Pos()), X: module, Name: name.Name, At: name.From})...)
		if !p.accept(",") || p.is(")") {
			break
		}
	}
	if brackets {
		p.expect(")", "',' or ')'")
	}
	return list
}

// alias binds a name to a module or to a name of a module. A name of CuTe is known by itself.
func alias(as *Name, x Expr) []Stmt {
	root := x
	for a, ok := root.(*Attr); ok; a, ok = root.(*Attr) {
		root = a.X
	}
	module := root.(*Name).Name
	last := module
	if a, ok := x.(*Attr); ok {
		last = a.Name
	}
	isCuTe := module == "cutlass" || module == "cute" || module == "pycute"
	if !pythonModules[module] || isCuTe && as.Name == last || as.Name == last && x == root {
		return nil
	}
	return []Stmt{&Assign{Span: Span{as.From, as.To}, Targets: []Expr{as}, X: x, Import: true}}
}
