function love.conf(settings)
  for name in ("audio font graphics image joystick keyboard mouse physics sound touch video window"):gmatch("%a+") do
    settings.modules[name] = false
  end
end
