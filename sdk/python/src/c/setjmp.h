// What is jumped to is known by its address alone.
#pragma once
typedef int jmp_buf[1];
int setjmp(jmp_buf) __attribute__((returns_twice));
void longjmp(jmp_buf, int) __attribute__((noreturn));
