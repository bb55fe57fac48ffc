// Package pty opens pseudo terminals, in which tests run what behaves differently at a terminal. It has them on Linux.
package pty
