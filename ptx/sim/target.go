package sim

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// arch returns the number of the module's architecture, 90 for sm_90a, or 0 if the module states none.
func (p *Program) arch() int {
	if len(p.module.Target) == 0 {
		return 0
	}
	number, _ := strings.CutPrefix(p.module.Target[0], "sm_")
	n, _ := strconv.Atoi(strings.TrimRight(number, "af"))
	return n
}

// needs returns an error if the architecture of the module is known and below least, the architecture that o needs.
func (d *decoder) needs(o *opcode, least int) error {
	if n := d.program.arch(); n != 0 && n < least {
		return fmt.Errorf("%s needs sm_%d, and the module is for %s", o.Op, least, d.program.module.Target[0])
	}
	return nil
}

// checkSync returns an error if o, a shfl or vote without .sync, needs .sync in this module: in PTX 6.4 and later, for
// sm_70 and later (PTX ISA 9.7.9.5, 9.7.13.8).
func (d *decoder) checkSync(o *opcode) error {
	v, n := d.program.module.Version, d.program.arch()
	if n >= 70 && (v.Major > 6 || v.Major == 6 && v.Minor >= 4) {
		return fmt.Errorf("%s needs .sync on sm_70 and later since PTX 6.4: the module is PTX %v for sm_%d", o.Op, v, n)
	}
	return nil
}

// needsTarget returns an error if the target of the module is known and is not one of some architectures, with the
// suffix a, or of their families, with the suffix f (PTX ISA, Target ISA Notes).
func (d *decoder) needsTarget(o *opcode, names ...string) error {
	target := d.program.module.Target
	if len(target) == 0 {
		return nil
	}
	number := strings.TrimRight(target[0], "af")
	if number == target[0] || !slices.Contains(names, number) {
		return fmt.Errorf("%s needs %sa or a target of their families, and the module is for %s", o.Op, strings.Join(names, "a, "),
			target[0])
	}
	return nil
}
