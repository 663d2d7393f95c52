redis.call('DEL', P .. 'prices')
return {}
