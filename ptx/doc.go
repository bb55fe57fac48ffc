// Package ptx x.
package ptx
